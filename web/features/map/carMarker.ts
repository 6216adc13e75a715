import type { Position } from '#contract/geo.ts'
import { type CarSpot, carSpot, type Drawing } from './drawing.ts'

/** The parts of the drawing that follow the car. */
export interface CarParts {
  readonly car: SVGGElement
  readonly label: SVGTextElement
  readonly trail: SVGPathElement
}

/**
 * Puts the car to a position, outside React: it moves each second. The jump to the first place, or
 * after a pause, is not drawn as a ride across the map.
 */
export function placeCar(parts: CarParts, drawing: Drawing, position: Position, jump: boolean) {
  const spot = carSpot(drawing, position)
  const { car, label, trail } = parts
  car.toggleAttribute('data-jump', jump)
  label.toggleAttribute('data-jump', jump)
  car.style.transform = translate(spot)
  label.style.transform = translate(spot.label)
  trail.setAttribute('d', spot.trail)
  car.dataset.latitude = String(position.latitude)
  car.dataset.longitude = String(position.longitude)
  car.dataset.progress = spot.progress.toFixed(4)
}

function translate({ x, y }: Pick<CarSpot, 'x' | 'y'>): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`
}
