import { display } from '../../electron/dev/display.mjs';

/** Where there is no display, an Xvfb of our own for the run; what it returns ends it. */
export default display;
