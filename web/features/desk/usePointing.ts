import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
} from 'react'
import { Paced } from './paced.ts'
import { Pen } from './pen.ts'
import type { Viewport } from './replay.ts'
import type { Point, VisitLine } from './visitLine.ts'

/** What an agent's pointer does on the page. */
export type Tool = 'use' | 'draw'

/** Both are well below what the desk lets through of one agent: 120 events a second. */
const everyMs = 40
const strokeEveryMs = 16

/** How far an arrow key moves the pointer, in CSS pixels of the visitor's page. */
const stepPx = 16

interface Pointed {
  line: VisitLine
  /** None while the page may only be looked at. */
  tool: Tool | null
  viewport: Viewport
  /** How far the page is scrolled. */
  scrolled: () => Point
  surface: RefObject<HTMLElement | null>
  canvas: RefObject<HTMLCanvasElement | null>
}

/** Sends what is done over the view to the page below it: clicks, scrolls and strokes, in its coordinates. */
export function usePointing({ line, tool, viewport, scrolled, surface, canvas }: Pointed) {
  const at = useRef<Point>([viewport.width / 2, viewport.height / 2])
  const moves = useRef(new Paced(everyMs))
  const strokes = useRef(new Paced(strokeEveryMs))
  // One for the canvas: a new stroke keeps what is there from fading.
  const pen = useRef<Pen | null>(null)
  const drawing = useRef(false)

  function moveTo(point: Point) {
    at.current = within(point, viewport)
    const [left, top] = scrolled()
    const [x, y] = at.current
    moves.current.do(() => line.move([x + left, y + top]))
  }
  function click() {
    moves.current.flush()
    line.click(at.current)
  }
  useWheel({ line, tool, surface, before: () => moves.current.flush() })
  useEffect(() => {
    const paced = [moves.current, strokes.current]
    return () => {
      for (const each of paced) each.stop()
    }
  }, [])

  return {
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const point = pointOf(event, viewport)
      if (tool === 'use') return moveTo(point)
      if (!drawing.current) return
      pen.current?.move(point)
      strokes.current.do(() => line.draw('move', point))
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (tool !== 'draw' || !canvas.current) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const point = pointOf(event, viewport)
      pen.current ??= new Pen(canvas.current)
      pen.current.start(point)
      drawing.current = true
      line.draw('start', point)
    },
    onPointerUp() {
      if (!drawing.current) return
      drawing.current = false
      strokes.current.flush()
      pen.current?.end()
      line.endStroke()
    },
    onClick(event: MouseEvent<HTMLElement>) {
      if (tool !== 'use') return
      // From the keyboard: where the pointer was moved by it.
      if (event.detail > 0) moveTo(pointOf(event, viewport))
      click()
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (tool !== 'use') return
      const [x, y] = at.current
      const step = steps[event.key]
      const pages = turns[event.key]
      if (step) moveTo([x + step[0] * stepPx, y + step[1] * stepPx])
      if (pages !== undefined) line.scroll([0, pages * viewport.height])
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
const turns: Readonly<Record<string, number>> = { PageUp: -0.8, PageDown: 0.8 }

/** How far a line is, where a wheel counts in lines. */
const linePx = 16

type Wheeled = Pick<Pointed, 'line' | 'tool' | 'surface'> & { before: () => void }

/** React listens for wheels in a way that cannot keep the agent's own page from scrolling. */
function useWheel({ line, tool, surface, before }: Wheeled) {
  const ready = useRef(before)
  useEffect(() => {
    ready.current = before
  })
  useEffect(() => {
    const element = surface.current
    if (tool !== 'use' || !element) return
    const paced = new Paced(everyMs)
    let [x, y] = [0, 0]
    function turn(event: WheelEvent) {
      event.preventDefault()
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : linePx
      x += event.deltaX * unit
      y += event.deltaY * unit
      paced.do(() => {
        // It scrolls what is below the pointer.
        ready.current()
        line.scroll([x, y])
        x = y = 0
      })
    }
    element.addEventListener('wheel', turn, { passive: false })
    return () => {
      element.removeEventListener('wheel', turn)
      paced.stop()
    }
  }, [line, tool, surface])
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
