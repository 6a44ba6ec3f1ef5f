import { useEffect, useState } from "react";
import { shownPictures } from "../history/shownPictures";

/** What an `img` shows for the picture at this address. A picture that was shown before is there immediately. */
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
