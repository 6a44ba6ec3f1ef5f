import { appText } from "@/shared/text/appText";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./ErrorBanner.module.css";

type Props = {
  /** Without a text no banner is shown. */
  text: string;
  colour?: "alarm" | "sun";
  onClose: () => void;
};

export function ErrorBanner({ text, colour = "alarm", onClose }: Props) {
  return (
    <div role="alert">
      {text !== "" && (
        <div className={styles.banner} data-tone={colour}>
          <p className={styles.words}>{text}</p>
          <IconButton data-scripted icon="close" label={appText.form.closeError} onClick={onClose} />
        </div>
      )}
    </div>
  );
}
