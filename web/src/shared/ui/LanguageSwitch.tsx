import { chooseLanguage, type Language, language, languages } from "@/shared/text/language";
import { text } from "@/shared/text/text";
import styles from "./switch.module.css";

/** Each language under its own name, so that a reader of another language finds theirs. */
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
