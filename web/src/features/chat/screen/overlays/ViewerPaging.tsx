import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import styles from "./Viewer.module.css";

type Props = { at: number; count: number; onShow: (at: number) => void };

/** To the picture before and the one after. */
export function ViewerPaging({ at, count, onShow }: Props) {
  const words = chatText.screen.viewer;
  if (count < 2) return null;
  const buttons = [
    { label: words.previous, icon: "back", to: at - 1 },
    { label: words.next, icon: "next", to: at + 1 },
  ] as const;
  return (
    <div className={styles.paging}>
      {buttons.map(({ label, icon, to }) => (
        <button
          aria-disabled={to < 0 || to >= count || undefined}
          aria-label={label}
          className={styles.button}
          key={icon}
          onClick={() => onShow(to)}
          title={label}
          type="button"
        >
          <Icon name={icon} />
        </button>
      ))}
      <p aria-live="polite" className={styles.place}>
        {words.place(at + 1, count)}
      </p>
    </div>
  );
}
