import { seatWords } from "../seatWords";

export const { seats, Seats, seatsAndOne } = seatWords(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen",
);
