import { useEffect, useState } from "react";
import { shownPictures } from "../history/shownPictures";

/** What an image shows of the picture at this address; at once when it was shown before. */
export function usePicture(address: string) {
  const begun = () => ({ address, src: shownPictures.now(address), isBroken: false });
  const [state, setState] = useState(begun);

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

  return state.address === address ? state : begun();
}
