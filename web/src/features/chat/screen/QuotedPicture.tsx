import { useState } from "react";
import { Icon } from "@/shared/ui/icons";
import styles from "./QuotedPicture.module.css";
import { usePicture } from "./usePicture";

/** A quoted picture, small: a spot of colour until it is there, and the sign for one when it can't be had. */
export function QuotedPicture({ address }: { address: string }) {
  const { src, isBroken: isMissing } = usePicture(address);
  const [isBroken, setBroken] = useState(false);
  return (
    <span className={styles.spot}>
      {isMissing || isBroken ? (
        <Icon name="picture" />
      ) : (
        <img alt="" className={styles.picture} decoding="async" onError={() => setBroken(true)} src={src} />
      )}
    </span>
  );
}
