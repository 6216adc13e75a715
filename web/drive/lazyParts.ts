import { lazy } from 'react'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'

/** Only needed before the start, when there is time to load it. */
export const PreflightPanel = lazy(async () => ({
  default: (await import('./PreflightPanel.tsx').catch(reloadWhenReachable)).PreflightPanel,
}))

// Loaded in parallel without blocking: the word comes first.
const background = import('./Background.tsx')
background.catch(() => undefined)
const loaded = () => background.catch(reloadWhenReachable)
export const Background = lazy(async () => ({ default: (await loaded()).Background }))
export const OwnWord = lazy(async () => ({ default: (await loaded()).OwnWord }))
export const RefusedChange = lazy(async () => ({ default: (await loaded()).RefusedChange }))
