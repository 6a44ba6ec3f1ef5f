import { chatText } from "@/shared/text/chatText";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./PreviewForm.module.css";

type Props = {
  addresses: readonly string[];
  at: number;
  onChoose: (at: number) => void;
  /** One of them can't be read. */
  onFail: (at: number) => void;
  onRemove: () => void;
};

/** All the pictures, small: to look at another one, or to leave one out. */
export function PreviewStrip({ addresses, at, onChoose, onFail, onRemove }: Props) {
  const words = chatText.screen.preview;
  return (
    <div className={styles.strip}>
      {addresses.map((address, index) => (
        <button
          aria-label={words.choose(index + 1)}
          aria-pressed={index === at}
          className={styles.small}
          key={address}
          onClick={() => onChoose(index)}
          type="button"
        >
          <img alt="" onError={() => onFail(index)} src={address} />
        </button>
      ))}
      <IconButton icon="trash" label={words.remove} onClick={onRemove} />
    </div>
  );
}
