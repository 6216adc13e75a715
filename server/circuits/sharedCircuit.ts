import { createHash } from 'node:crypto'
import type { GivenCircuit } from '#racing/circuits/givenCircuit.ts'
import { type CircuitVersion, givenCircuit } from './circuitVersion.ts'

/** Circuits by a hash of their content, as long as a session is timed on them. */
const shared = new Map<string, WeakRef<GivenCircuit>>()

/**
 * Returns the circuit as the lap timer needs it: the same object for equal circuits, also of different teams. The track
 * of a circuit is then in memory once for all cars on it. With a copy for each of 1,000 cars it would have left the
 * processor's cache before a car's next fix.
 */
export function sharedCircuit(version: CircuitVersion): GivenCircuit {
  const circuit = givenCircuit(version)
  const key = createHash('sha256').update(JSON.stringify(circuit)).digest('base64')
  const known = shared.get(key)?.deref()
  if (known) return known
  for (const [each, circuitRef] of shared) if (!circuitRef.deref()) shared.delete(each)
  shared.set(key, new WeakRef(circuit))
  return circuit
}
