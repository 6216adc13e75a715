import { useEffect, useState } from 'react'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'

type Popups = typeof import('./basePopups.ts')

let loaded: Popups | undefined

/** Loads the code of dialogs and menus, a fifth of what a screen would load, before one opens. Rejects without a network. */
export async function loadPopups(): Promise<Popups> {
  loaded ??= await import('./basePopups.ts')
  return loaded
}

/** Returns the code of dialogs and menus; undefined until one of this component's is needed and the code has loaded. */
export function usePopups(isNeeded: boolean): Popups | undefined {
  const [popups, setPopups] = useState(isNeeded ? loaded : undefined)
  useEffect(() => {
    if (isNeeded) void loadPopups().catch(reloadWhenReachable).then(setPopups)
  }, [isNeeded])
  return popups
}
