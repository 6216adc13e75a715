import { zolder } from '#contract/shared/circuits/zolder.ts'
import type { PracticeCircuit } from './practiceDrive.ts'

/** Zolder: a lap takes less than two minutes. Its pit lane is at the line; the places are estimated from the map. */
export const practiceCircuit: PracticeCircuit = {
  outline: zolder.outline,
  pits: { inM: zolder.lengthM - 160, boxM: 60, outM: 260 },
}
