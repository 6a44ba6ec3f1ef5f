import { chatText } from "@/shared/text/chatText";
import { Dialog } from "@/shared/ui/Dialog";
import { useRoom, useScreen } from "./chatContext";
import { PreviewForm } from "./PreviewForm";
import { useLast } from "./useLast";

/** Shows what is about to be sent; closing it sends nothing. */
export function PreviewDialog() {
  const { screen } = useRoom();
  const chosen = useScreen((state) => state.chosen);
  const pictures = useLast(chosen.length > 0 ? chosen : undefined) ?? [];
  const close = () => screen.setState({ chosen: [] });
  return (
    <Dialog
      onOpenChange={close}
      open={chosen.length > 0}
      title={chatText.screen.preview.title(pictures.length)}
    >
      <PreviewForm onClose={close} pictures={pictures} />
    </Dialog>
  );
}
