import { useState } from "react";
import { text } from "@/shared/text/text";
import { chooseTheme, currentTheme } from "@/shared/theme";
import styles from "./switch.module.css";

export function ThemeSwitch() {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === "dark" ? "light" : "dark";

  function toggle() {
    chooseTheme(other);
    setTheme(other);
  }

  return (
    <button className={styles.switch} onClick={toggle} type="button">
      <span aria-hidden="true" className={styles.moon} />
      {other === "dark" ? text.theme.toDark : text.theme.toLight}
    </button>
  );
}
