import { type RefObject, useEffect, useState } from 'react'
import { type Drawing, isLargerTurned } from './drawing.ts'

type Size = Pick<Drawing, 'width' | 'height'>

/** Returns whether a drawing with north at the top fills its box better when it is turned, and its units to a px. */
export function useTurned(
  map: RefObject<HTMLElement | null>,
  upright: Size | null,
): { isTurned: boolean; scale: number } {
  const [box, setBox] = useState<Size | null>(null)
  useEffect(() => {
    const observer = new ResizeObserver(entries => setBox(entries.at(-1)?.contentRect ?? null))
    if (map.current) observer.observe(map.current)
    return () => observer.disconnect()
  }, [map])
  if (!box || !upright || box.width === 0 || box.height === 0) return { isTurned: false, scale: 1 }
  const isTurned = isLargerTurned(upright, box)
  const [wide, tall] = isTurned ? [upright.height, upright.width] : [upright.width, upright.height]
  return { isTurned, scale: Math.max(wide / box.width, tall / box.height) }
}
