import type { GlassPart } from '#contract/shared/glassParts.ts'

export const glassText = {
  title: "Official timing on the driver's screen",
  hint: 'For all phones of the car in this race, and off by default. Every change is in the message log.',
  warning: "No substitute for looking at the flags: the marshals' flags count.",
  noSource: 'The race has no source of official timing yet.',
  parts: {
    flag: 'Official flag',
    place: 'Place',
    ahead: 'Gap to the car ahead',
    behind: 'Gap to the car behind',
    faster: 'Next car of a faster class behind',
  } satisfies Record<GlassPart, string>,
  ahead: 'ahead',
  behind: 'behind',
  /** A car of a faster class, which follows. */
  faster: 'fast',
  control: 'race control',
  byHandOf: (name: string | null) => (name === null ? 'by hand' : `by hand, ${name}`),
  /** A change of the parts that the glass shows. */
  onGlass: (parts: readonly string[]) =>
    parts.length === 0
      ? "Official timing on the driver's screen turned off"
      : `Official timing on the driver's screen: ${parts.join(', ')}`,
  inClass: (className: string, position: number) => `${className} ${position}`,
  fasterCar: (number: string) => `${number}, faster class`,
  shown: (took: string) => `shown ${took}`,
  afterControl: ' after race control',
  notShown: (age: string) => `not shown ${age}`,
  /** On the glass of a silent phone. */
  flagUnknown: 'Flag not known',
  flagByHand: (flag: string) => `${flag} by hand`,
  laneShown: (flag: string, took: string) => `${flag} shown ${took}`,
  laneNotShown: (flag: string) => `${flag} not shown`,
  carsShown: (source: string, shown: number, all: number) =>
    `${source}, ${shown}\u00a0of\u00a0${all}\u00a0${all === 1 ? 'car' : 'cars'}`,
}
