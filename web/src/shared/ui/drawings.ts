/** The icons a group's screen begins with; it is drawn by a piece that has no room for all of them. */
export const back = "M19 12H5M11 6l-6 6 6 6";
export const check = "M5 12.5l4.5 4.5L19 7.5";
export const clock = "M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM12 7.5V12l3 2";
export const more =
  "M5 11.2a.8.8 0 100 1.6.8.8 0 000-1.6zM12 11.2a.8.8 0 100 1.6.8.8 0 000-1.6zM19 11.2a.8.8 0 100 1.6.8.8 0 000-1.6z";
export const picture = "M3 5h18v14H3zM3 16l5-5 5 5 3-3 5 5M15.5 8.5h.01";
export const smile = "M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM8 14q4 4.500 8 0M9 9.5h.01M15 9.5h.01";
export const send = "M4 12l16-8-5 16-4-6.5zM11 13.5l9-9.5";
