import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
} from 'react'
import type { Point, VisitConnection } from '../visit/visitConnection.ts'
import type { Viewport } from './replay.ts'
import { Throttle } from './throttle.ts'

/**
 * Same as on the visitor's page: red, 8 px wide, gone after 4 s. Source: SO-14 in docs/specification.tsv.
 */
const widthPx = 8

const fadeMs = 4000

/** Shows the agent's drawing on the visitor's page, in that page's coordinates. */
class Pen {
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

/** Effect of the agent's pointer on the page. */
export type Tool = 'use' | 'draw'

/** Both are well below the desk's rate limit of 120 events a second per agent. */
const moveIntervalMs = 40
const strokeIntervalMs = 16

/** Distance per press of an arrow key, in CSS pixels of the visitor's page. */
const stepPx = 16

interface Pointed {
  connection: VisitConnection
  /** Null while the page is view-only. */
  tool: Tool | null
  viewport: Viewport
  /** Scroll offset of the page. */
  scrolled: () => Point
  surface: RefObject<HTMLElement | null>
  canvas: RefObject<HTMLCanvasElement | null>
}

/**
 * Sends the agent's clicks, scrolls and strokes on the surface to the page, in the page's coordinates.
 */
export function usePointing({ connection, tool, viewport, scrolled, surface, canvas }: Pointed) {
  const at = useRef<Point>([viewport.width / 2, viewport.height / 2])
  const moves = useRef(new Throttle(moveIntervalMs))
  const strokes = useRef(new Throttle(strokeIntervalMs))
  // One pen per canvas: a new stroke cancels the fading of the previous one.
  const pen = useRef<Pen | null>(null)
  const drawing = useRef(false)

  function moveTo(point: Point) {
    at.current = within(point, viewport)
    const [left, top] = scrolled()
    const [x, y] = at.current
    moves.current.run(() => connection.move([x + left, y + top]))
  }
  function click() {
    moves.current.flush()
    connection.click(at.current)
  }
  useWheel({ connection, tool, surface, before: () => moves.current.flush() })
  useEffect(() => {
    const throttles = [moves.current, strokes.current]
    return () => {
      for (const each of throttles) each.stop()
    }
  }, [])

  return {
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const point = pointOf(event, viewport)
      if (tool === 'use') return moveTo(point)
      if (!drawing.current) return
      pen.current?.move(point)
      strokes.current.run(() => connection.draw('move', point))
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (tool !== 'draw' || !canvas.current) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const point = pointOf(event, viewport)
      pen.current ??= new Pen(canvas.current)
      pen.current.start(point)
      drawing.current = true
      connection.draw('start', point)
    },
    onPointerUp() {
      if (!drawing.current) return
      drawing.current = false
      strokes.current.flush()
      pen.current?.end()
      connection.endStroke()
    },
    onClick(event: MouseEvent<HTMLElement>) {
      if (tool !== 'use') return
      // A click by keyboard happens at the last pointer position.
      if (event.detail > 0) moveTo(pointOf(event, viewport))
      click()
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (tool !== 'use') return
      const [x, y] = at.current
      const step = steps[event.key]
      const pages = pageKeys[event.key]
      if (step) moveTo([x + step[0] * stepPx, y + step[1] * stepPx])
      if (pages !== undefined) connection.scroll([0, pages * viewport.height])
      if (step || pages !== undefined) event.preventDefault()
    },
  }
}

const steps: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const pageKeys: Readonly<Record<string, number>> = { PageUp: -0.8, PageDown: 0.8 }

/** Pixels per line, for wheels that scroll by lines. */
const linePx = 16

type Wheeled = Pick<Pointed, 'connection' | 'tool' | 'surface'> & { before: () => void }

/** React adds passive wheel listeners, which cannot prevent the agent's own page from scrolling. */
function useWheel({ connection, tool, surface, before }: Wheeled) {
  const ready = useRef(before)
  useEffect(() => {
    ready.current = before
  })
  useEffect(() => {
    const element = surface.current
    if (tool !== 'use' || !element) return
    const throttle = new Throttle(moveIntervalMs)
    let [x, y] = [0, 0]
    function turn(event: WheelEvent) {
      event.preventDefault()
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : linePx
      x += event.deltaX * unit
      y += event.deltaY * unit
      throttle.run(() => {
        // The scroll applies to the element below the pointer.
        ready.current()
        connection.scroll([x, y])
        x = y = 0
      })
    }
    element.addEventListener('wheel', turn, { passive: false })
    return () => {
      element.removeEventListener('wheel', turn)
      throttle.stop()
    }
  }, [connection, tool, surface])
}

function pointOf(event: MouseEvent<HTMLElement>, { width, height }: Viewport): Point {
  const box = event.currentTarget.getBoundingClientRect()
  return [
    ((event.clientX - box.left) / box.width) * width,
    ((event.clientY - box.top) / box.height) * height,
  ]
}

function within([x, y]: Point, { width, height }: Viewport): Point {
  return [Math.min(Math.max(0, x), width - 1), Math.min(Math.max(0, y), height - 1)]
}
