/** Imported by processes whose waits for Dawn are to sleep. */
import { sleepInWaits } from "./polling.js";

sleepInWaits();
