/** localStorage key of the laps of the driven session. */
export const lapsKey = 'pitboard.laps'
