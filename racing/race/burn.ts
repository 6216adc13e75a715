/** Fuel that was burnt between two moments at which the level was known, and the laps in which it was. */
export interface FuelUse {
  readonly litres: number
  readonly greenLaps: number
  readonly yellowLaps: number
}

/** Consumption of a lap, learned or entered. */
export interface Burn {
  readonly greenL: number
  readonly yellowL: number
  /** Half the interval that contains the true burn of a green lap in 95 % of cases. */
  readonly plusMinusL: number
  /** How many uses it was learned from; 0 if it is only the burn that was entered for the car. */
  readonly fills: number
  /** Variances and covariance of both values, in square litres. */
  readonly variance: { readonly green: number; readonly yellow: number; readonly both: number }
}

/** Uses over fewer laps are ignored: one lap does not suffice. */
export const leastLaps = 3

/** Prior: a yellow lap burns half of a green one, with this standard deviation of the share. Also in the figures' test. */
const yellowShare = 0.5
const yellowShareSd = 0.2

/** Prior of a fill's error, a share of its litres: as sure as this many fills. */
const fillNoise = 0.1
const fillNoiseFills = 4

/** The burn that was entered is the average of many laps: it counts as this many fills, until they contradict it. */
const enteredFills = 4
const contradiction = 0.1

/** 95 % of a t distribution with about ten degrees of freedom: the error of fills is estimated as well. */
const halfWidth = 2.2

/** The weights depend on the solution; they settle within this number of rounds. */
const rounds = 8

/** A use, and how many fills it counts as. */
interface Observed extends FuelUse {
  readonly weight: number
}

/** One equation: green · b_g + yellow · b_y = litres, with a standard deviation. */
interface Equation {
  readonly green: number
  readonly yellow: number
  readonly litres: number
  readonly sd: number
}

/**
 * Learns the burn by weighted least squares: each use gives litres = n_g · b_g + n_y · b_y with an error in proportion
 * to the litres, and the prior gives b_y = 0.5 · b_g ± 0.2 · b_g. The burn that was entered for the car counts as four
 * more fills, or as one if those to full differ from it by more than a tenth. Null without either, or with uses of fewer
 * than three laps only.
 */
export function learnBurn(uses: readonly FuelUse[], enteredL: number | null): Burn | null {
  const usable = uses.filter(
    ({ litres, greenLaps, yellowLaps }) => litres > 0 && greenLaps + yellowLaps >= leastLaps,
  )
  const observed: Observed[] = usable.map(use => ({ ...use, weight: 1 }))
  if (enteredL !== null) {
    const agrees = usable.length === 0 || Math.abs(roughOf(usable) / enteredL - 1) <= contradiction
    const weight = agrees ? enteredFills : 1
    observed.push({ litres: enteredL, greenLaps: 1, yellowLaps: 0, weight })
  }
  if (observed.length === 0) return null
  const roughL = roughOf(observed)
  let burn = { greenL: roughL, yellowL: yellowShare * roughL }
  let variance: Burn['variance'] = { green: 0, yellow: 0, both: 0 }
  for (let round = 0; round < rounds; round++) {
    const equations = equationsFor(observed, burn)
    const solution = solve(equations)
    variance = solution.variance
    // Contradicting entries must not give a burn below nothing.
    burn = {
      greenL: clamp(solution.greenL, roughL / 3, roughL * 3),
      yellowL: clamp(solution.yellowL, 0, roughL * 3),
    }
  }
  const plusMinusL = halfWidth * Math.sqrt(variance.green)
  return { ...burn, plusMinusL, fills: usable.length, variance }
}

/** Returns the most that a green lap is likely to burn. */
export function pessimisticL({ greenL, plusMinusL }: Burn): number {
  return greenL + plusMinusL
}

/** Returns the fuel that some laps burnt, with half its 95 % interval. */
export function burnt(
  { greenL, yellowL, variance }: Burn,
  { greenLaps, yellowLaps }: Pick<FuelUse, 'greenLaps' | 'yellowLaps'>,
): { readonly litres: number; readonly plusMinusL: number } {
  const square =
    greenLaps ** 2 * variance.green +
    2 * greenLaps * yellowLaps * variance.both +
    yellowLaps ** 2 * variance.yellow
  return {
    litres: greenLaps * greenL + yellowLaps * yellowL,
    plusMinusL: halfWidth * Math.sqrt(Math.max(0, square)),
  }
}

/** Returns litres per lap, with yellow laps as in the prior. */
function roughOf(uses: readonly FuelUse[]): number {
  return sum(uses.map(use => use.litres)) / sum(uses.map(use => weightedLaps(use)))
}

function equationsFor(
  uses: readonly Observed[],
  { greenL, yellowL }: Pick<Burn, 'greenL' | 'yellowL'>,
): Equation[] {
  // Weights follow the expected litres: the entered ones would favour fills that are too small.
  const expected = uses.map(use =>
    Math.max(use.greenLaps * greenL + use.yellowLaps * yellowL, use.litres / 3),
  )
  const errors = uses.map(
    ({ litres, weight }, index) => weight * (litres / (expected[index] ?? litres) - 1) ** 2,
  )
  const noise = Math.sqrt(
    (fillNoiseFills * fillNoise ** 2 + sum(errors)) / (fillNoiseFills + uses.length - 1),
  )
  return [
    ...uses.map(({ litres, greenLaps, yellowLaps, weight }, index) => ({
      green: greenLaps,
      yellow: yellowLaps,
      litres,
      sd: (noise * (expected[index] ?? litres)) / Math.sqrt(weight),
    })),
    { green: -yellowShare, yellow: 1, litres: 0, sd: yellowShareSd * greenL },
  ]
}

/** Solves the normal equations; the inverse of their matrix is the covariance. */
function solve(equations: readonly Equation[]) {
  const total = { gg: 0, gy: 0, yy: 0, gl: 0, yl: 0 }
  for (const { green, yellow, litres, sd } of equations) {
    const weight = 1 / sd ** 2
    total.gg += weight * green * green
    total.gy += weight * green * yellow
    total.yy += weight * yellow * yellow
    total.gl += weight * green * litres
    total.yl += weight * yellow * litres
  }
  const determinant = total.gg * total.yy - total.gy ** 2
  return {
    greenL: (total.yy * total.gl - total.gy * total.yl) / determinant,
    yellowL: (total.gg * total.yl - total.gy * total.gl) / determinant,
    variance: {
      green: total.yy / determinant,
      yellow: total.gg / determinant,
      both: -total.gy / determinant,
    },
  }
}

/** A yellow lap counts by its prior share. */
function weightedLaps({ greenLaps, yellowLaps }: FuelUse): number {
  return greenLaps + yellowShare * yellowLaps
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
