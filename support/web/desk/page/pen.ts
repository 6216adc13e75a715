import type { Point } from '../visit/visitConnection.ts'

/**
 * Same as on the visitor's page: red, 8 px wide, gone after 4 s. Source: SO-14 in docs/specification.tsv.
 */
const widthPx = 8
const fadeMs = 4000

/** Shows the agent's drawing on the visitor's page, in that page's coordinates. */
export class Pen {
  readonly #canvas: HTMLCanvasElement
  #last: Point = [0, 0]
  #fading: Animation | null = null

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
  }

  start(at: Point) {
    this.#fading?.cancel()
    this.#fading = null
    this.#last = at
  }

  move(at: Point) {
    const context = this.#canvas.getContext('2d')
    if (!context) return
    context.lineWidth = widthPx
    context.lineCap = context.lineJoin = 'round'
    context.strokeStyle = 'red'
    context.beginPath()
    context.moveTo(...this.#last)
    context.lineTo(...at)
    context.stroke()
    this.#last = at
  }

  /** Fades the drawing out, unless a new stroke begins. */
  end() {
    const { width, height } = this.#canvas
    const fading = this.#canvas.animate({ opacity: [1, 0] }, fadeMs)
    this.#fading = fading
    fading.addEventListener('finish', () =>
      this.#canvas.getContext('2d')?.clearRect(0, 0, width, height),
    )
  }
}
