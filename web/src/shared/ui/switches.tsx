import { useState } from "react";
import { chooseLanguage, type Language, language, languages } from "@/shared/text/language";
import { text } from "@/shared/text/text";
import { chooseTheme, currentTheme } from "@/shared/theme";
import styles from "./switches.module.css";

/** Each language has its own name here, so that people find theirs. */
export function LanguageSwitch() {
  return (
    <select
      aria-label={text.language}
      className={styles.switch}
      onChange={(event) => chooseLanguage(event.target.value as Language)}
      value={language()}
    >
      {Object.entries(languages).map(([code, name]) => (
        <option key={code} lang={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

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
