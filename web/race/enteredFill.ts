import type { Fill, FillValues } from '#contract/fills.ts'

/** Litres that went in, and not the fuel at the start. */
export type EnteredFill = Fill & FillValues

export function isEntered(fill: Fill): fill is EnteredFill {
  return fill.kind !== 'start'
}

/** Returns the values that a member enters: all of them, or this does not compile. */
export function fillValues({ litres, kind }: FillValues) {
  return { litres, kind } satisfies Record<keyof FillValues, unknown>
}

/** True if a member entered the same values for both. */
export function isSameFill(one: FillValues, other: FillValues): boolean {
  const names = Object.keys(fillValues(one)) as (keyof FillValues)[]
  return names.every(name => one[name] === other[name])
}
