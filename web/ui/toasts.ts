import { createContext, use } from 'react'

/** Success is green, error is red, notice is neutral. Each leaves after 5 s or with its screen. */
export type ToastKind = 'success' | 'error' | 'notice'

export interface Toasts {
  success(title: string, message?: string, about?: Matter): void
  error(title: string, message?: string, about?: Matter): void
  notice(title: string, message?: string, about?: Matter): void
  /** Withdraws what was said about a matter, for instance because it is tried again. */
  dismiss(about: Matter): void
}

/** What a toast is about, such as 'invite'. Of one matter the newest word alone stands. */
type Matter = string

/** Whoever shows toasts provides this; at most one does. */
export const ToastsContext = createContext<Toasts | null>(null)

/** Says something under the bar, from anywhere below the provider. It is the same object on every render. */
export function useToasts(): Toasts {
  const toasts = use(ToastsContext)
  if (!toasts) throw new Error('useToasts needs a provider of ToastsContext above it.')
  return toasts
}
