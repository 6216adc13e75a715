import type { Circuit } from './circuit.ts'
import { spaFrancorchamps } from './spa-francorchamps.ts'
import { zolder } from './zolder.ts'

/** Every circuit the product knows; the first one is the default. */
export const circuits: readonly [Circuit, ...Circuit[]] = [spaFrancorchamps, zolder]

export function circuitById(id: string): Circuit | undefined {
  return circuits.find(circuit => circuit.id === id)
}
