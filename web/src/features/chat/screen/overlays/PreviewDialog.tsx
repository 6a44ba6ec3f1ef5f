import { chatText } from "@/shared/text/chatText";
import { Dialog } from "@/shared/ui/Dialog";
import { useRoom, useScreen } from "../chatContext";
import { PreviewForm } from "./PreviewForm";

/** Shows what is about to be sent; closing it sends nothing. */
export function PreviewDialog() {
  const { screen } = useRoom();
  const pictures = useScreen((state) => state.chosen);
  if (pictures.length === 0) return null;
  const close = () => screen.setState({ chosen: [] });
  return (
    <Dialog onOpenChange={close} open title={chatText.screen.preview.title(pictures.length)}>
      <PreviewForm onClose={close} pictures={pictures} />
    </Dialog>
  );
}
