import { useEffect, useState } from 'react'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import type * as BasePopups from './basePopups.ts'

let loaded: typeof BasePopups | undefined

/** Loads the code of dialogs and menus, a fifth of what a screen would load, before one opens. Rejects without a network. */
export async function loadPopups(): Promise<typeof BasePopups> {
  loaded ??= await import('./basePopups.ts')
  return loaded
}

/** Dialogs and menus that are to open, and whose code loads. */
let opening = 0

export function isPopupOpening(): boolean {
  return opening > 0
}

/** Returns the code of dialogs and menus; undefined until one of this component's is needed and the code has loaded. */
export function usePopups(isNeeded: boolean): typeof BasePopups | undefined {
  const [popups, setPopups] = useState(isNeeded ? loaded : undefined)
  useEffect(() => {
    if (isNeeded) void loadPopups().catch(reloadWhenReachable).then(setPopups)
  }, [isNeeded])
  const isOpening = isNeeded && !popups
  useEffect(() => {
    if (!isOpening) return
    opening += 1
    return () => {
      opening -= 1
    }
  }, [isOpening])
  return popups
}
