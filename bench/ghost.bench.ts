import { simulatedGhosts } from '#testing/simulatedGhosts.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './main.ts'

export const bench: Bench = {
  question: 'How near is the ghost to the place after a stop, in 1,000 simulated races?',
  async run(): Promise<Figures> {
    const { green, yellow } = simulatedGhosts(1000)
    const share = (part: number, all: number) => Math.round((part / all) * 1000) / 1000
    return {
      'green possible': share(green.possible, green.stops),
      'green known': share(green.known, green.stops),
      'green withinOne': share(green.withinOne, green.known),
      'green inRange': share(green.inRange, green.known),
      'yellow possible': share(yellow.possible, yellow.stops),
      'yellow known': share(yellow.known, yellow.stops),
      'yellow withinOne': share(yellow.withinOne, yellow.known),
      'yellow inRange': share(yellow.inRange, yellow.known),
      tooEarly: green.tooEarly + yellow.tooEarly,
    }
  },
}
