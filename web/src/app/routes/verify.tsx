import { VerifyPage } from "@/features/verify/VerifyPage";
import { verifyText } from "@/shared/text/verifyText";
import { page } from "../usePageTitle";

export const { Component, handle } = page(() => verifyText.heading, VerifyPage);
