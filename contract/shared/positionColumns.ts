/** One stored position, as a replay needs it. */
export interface ReplayFix {
  readonly at: number
  readonly latitude: number
  readonly longitude: number
  /** Null if the receiver did not report it. */
  readonly speedKmh: number | null
}

/**
 * Positions as columns, in order of time. Times (ms since the epoch), latitudes and longitudes (millionths of a
 * degree, about 10 cm) are differences to the position before, the first ones to 0: about 18 bytes of JSON a fix.
 */
export interface PositionColumns {
  readonly at: number[]
  readonly latitudeE6: number[]
  readonly longitudeE6: number[]
  readonly speedKmh: (number | null)[]
}

const perDegree = 1e6

export function toColumns(fixes: readonly ReplayFix[]): PositionColumns {
  return {
    at: differences(fixes.map(({ at }) => at)),
    latitudeE6: differences(fixes.map(({ latitude }) => Math.round(latitude * perDegree))),
    longitudeE6: differences(fixes.map(({ longitude }) => Math.round(longitude * perDegree))),
    speedKmh: fixes.map(({ speedKmh }) => speedKmh),
  }
}

export function fromColumns({
  at,
  latitudeE6,
  longitudeE6,
  speedKmh,
}: PositionColumns): ReplayFix[] {
  const latitudes = sums(latitudeE6)
  const longitudes = sums(longitudeE6)
  return sums(at).map((time, index) => ({
    at: time,
    latitude: (latitudes[index] ?? 0) / perDegree,
    longitude: (longitudes[index] ?? 0) / perDegree,
    speedKmh: speedKmh[index] ?? null,
  }))
}

function differences(values: readonly number[]): number[] {
  return values.map((value, index) => value - (values[index - 1] ?? 0))
}

function sums(steps: readonly number[]): number[] {
  let sum = 0
  return steps.map(step => {
    sum += step
    return sum
  })
}
