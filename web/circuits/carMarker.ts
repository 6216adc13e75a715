import type { Position } from '#contract/shared/geo.ts'
import { type CarSpot, carSpot, type Drawing } from './drawing.ts'

/** Elements of the drawing that follow the car. */
export interface CarParts {
  readonly car: SVGGElement
  readonly label: SVGTextElement
  readonly trail: SVGPathElement
}

/**
 * Moves the car to a position, outside React because it happens every second. The first position, and
 * one after a pause, is not animated.
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
