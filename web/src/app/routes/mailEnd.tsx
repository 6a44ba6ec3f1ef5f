import { MailEndPage } from "@/features/account/MailEndPage";
import { digestText } from "@/shared/text/digestText";
import { page } from "../usePageTitle";

export const { Component, handle } = page(() => digestText.end.title, MailEndPage);
