import { chooseLanguage, type Language, language, languages } from "@/shared/text/language";
import { text } from "@/shared/text/text";
import { chooseTheme, currentTheme } from "@/shared/theme";
import styles from "./switches.module.css";

/** Each language has its own name here, so that people find theirs. */
export function LanguageSwitch() {
  return (
    // Without scripts the form asks the server for this page in the chosen language.
    <form className={styles.languages}>
      <select
        aria-label={text.language}
        className={styles.switch}
        defaultValue={language()}
        name="language"
        onChange={(event) => chooseLanguage(event.target.value as Language)}
      >
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} lang={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <noscript>
        <button className={styles.switch} type="submit">
          {text.changeLanguage}
        </button>
      </noscript>
    </form>
  );
}

/** The styles show the words for the other theme: a page is drawn before anybody knows which theme its reader has. */
export function ThemeSwitch() {
  return (
    <button
      className={styles.switch}
      data-scripted
      onClick={() => chooseTheme(currentTheme() === "dark" ? "light" : "dark")}
      type="button"
    >
      <span aria-hidden="true" className={styles.moon} />
      <span className={styles["to-dark"]}>{text.theme.toDark}</span>
      <span className={styles["to-light"]}>{text.theme.toLight}</span>
    </button>
  );
}
