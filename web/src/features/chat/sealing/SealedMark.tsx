import { SealMark } from "@/shared/sealing/screen/SealMark";
import { sealedText } from "@/shared/text/sealedText";

/** Says that the group is sealed. */
export const SealedMark = () => <SealMark about={sealedText.about} mark={sealedText.about.open} />;
