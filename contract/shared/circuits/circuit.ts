import type { Position } from '#contract/shared/geo.ts'

/** A race track as data: a closed outline that starts and ends at the start/finish line. */
export interface Circuit {
  readonly id: string
  readonly name: string
  /** The credit to show wherever the outline is drawn. */
  readonly attribution: string
  /** One official lap. The outline itself is some metres shorter: it is a chain of straight pieces. */
  readonly lengthM: number
  readonly direction: 'clockwise' | 'anticlockwise'
  /** `headingDeg` is the driving direction: 0 is north, 90 is east. */
  readonly startFinish: Position & { readonly headingDeg: number }
  /** In driving direction; the last point repeats the first. */
  readonly outline: readonly Position[]
}
