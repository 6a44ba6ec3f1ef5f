import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { COMMON_PASSWORDS } from "@/shared/contract/commonPasswords";
import { appText } from "@/shared/text/appText";
import styles from "./Field.module.css";

const estimator = new ZxcvbnFactory({ dictionary: { passwords: COMMON_PASSWORDS } });

/** How hard a password is to guess: from 0 for "at once" to 4. Others know the product's name, too. */
export function strengthOf(password: string, known: string[]): number {
  return estimator.check(password, ["annon", ...known.filter((word) => word !== "")]).score;
}

type Props = { password: string; known: string[] };

export function Strength({ password, known }: Props) {
  const words = appText.form.strength;
  const score = strengthOf(password, known);
  return (
    <p className={styles.meter}>
      <meter
        aria-hidden="true"
        high={2.5}
        low={1.5}
        max={4}
        min={0}
        optimum={4}
        value={Math.max(score, 0.4)}
      />
      {words[score]}
    </p>
  );
}
