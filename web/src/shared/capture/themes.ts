/** The looks of a picture. They use the stickers' colours, which don't change with the app's theme. */
export type Look = {
  paper: string;
  dot: string;
  /** The name tag's band and rim. */
  band: string;
  sheet: string;
  link: string;
  /** The colour of the text on the paper. */
  ink: string;
};

export const PRINT = "#1d1836";
export const RIM = "#fffaf0";

const LIGHT = { sheet: RIM, link: "#a80f43", ink: PRINT };

export const looks = {
  paper: { ...LIGHT, paper: "#fdf0d7", dot: "#ecd8b3", band: "#ff6098" },
  night: { paper: "#17132b", dot: "#2c2550", band: "#c9b4ff", sheet: "#231d40", link: "#9db4ff", ink: RIM },
  hot: { ...LIGHT, paper: "#ff6098", dot: "#e84a82", band: "#ffd358" },
  mint: { ...LIGHT, paper: "#8ce0ba", dot: "#74cba4", band: "#9bcbff", link: "#2b46d6" },
} as const satisfies Record<string, Look>;

export type LookName = keyof typeof looks;
export const lookNames = Object.keys(looks) as LookName[];

export const WIDTH = 1080;

/** The height of each shape in pixels. A story leaves space at the top and bottom for the phone's own controls. */
export const shapes = { story: { height: 1920, safe: 250 }, square: { height: 1080, safe: 70 } } as const;

export type ShapeName = keyof typeof shapes;
export const shapeNames = Object.keys(shapes) as ShapeName[];
