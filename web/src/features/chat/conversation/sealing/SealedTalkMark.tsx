import { SealMark } from "@/shared/sealing/screen/SealMark";
import { sealedTalkText } from "@/shared/text/sealedTalkText";

/** Says that the conversation is sealed. */
export const SealedTalkMark = () => <SealMark about={sealedTalkText.about} mark={sealedTalkText.mark} />;
