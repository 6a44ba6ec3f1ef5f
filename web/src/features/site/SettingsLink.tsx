import { Link, useLocation } from "react-router-dom";
import { paths } from "@/shared/paths";
import { appText } from "@/shared/text/appText";
import { Icon } from "@/shared/ui/icons";
import styles from "./SettingsLink.module.css";

export function SettingsLink() {
  const words = appText.settings.open;
  const here = useLocation().pathname === paths.settings;
  return (
    <Link
      aria-current={here ? "page" : undefined}
      aria-label={words}
      className={styles.link}
      title={words}
      to={paths.settings}
    >
      <Icon name="gear" size={26} />
    </Link>
  );
}
