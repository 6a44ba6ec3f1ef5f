import { Icon } from "@/shared/ui/icons";
import styles from "./SettingsPage.module.css";

/** What a row of the settings says. It leads somewhere. */
export function Row({ name, more }: { name: string; more: string }) {
  return (
    <>
      <span>
        <span className={styles.action}>{name}</span>
        <span className={styles.more}>{more}</span>
      </span>
      <Icon name="next" />
    </>
  );
}
