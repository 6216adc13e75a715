import type { Circuit } from './circuit.ts'
import { spaFrancorchamps } from './spa-francorchamps.ts'
import { zolder } from './zolder.ts'

/** Every circuit the product knows; the first one is drawn when no other is meant. */
export const circuits: readonly [Circuit, ...Circuit[]] = [spaFrancorchamps, zolder]

export function circuitById(id: string): Circuit | undefined {
  return circuits.find(circuit => circuit.id === id)
}
