import { useEffect, useState } from "react";
import { shownPictures } from "../history/shownPictures";

type Shown = { address: string; src: string | undefined; isBroken: boolean };

/** What an image shows of the picture at this address; at once when it was shown before. */
export function usePicture(address: string): Shown {
  const [state, setState] = useState<Shown>(() => begun(address));
  const shown = state.address === address ? state : begun(address);

  useEffect(() => {
    let isGone = false;
    const show = (src: string | undefined) => {
      if (!isGone) setState({ address, src, isBroken: src === undefined });
    };
    shownPictures.of(address).then(show, () => show(undefined));
    return () => {
      isGone = true;
    };
  }, [address]);

  return shown;
}

function begun(address: string): Shown {
  return { address, src: shownPictures.now(address), isBroken: false };
}
