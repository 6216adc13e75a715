import { createContext, type ReactNode, use } from 'react'

/** Success is green, error is red. */
export type ToastKind = 'success' | 'error'

export interface Toasts {
  success(title: string, message: ReactNode, about?: Topic): void
  error(title: string, message: ReactNode, about?: Topic): void
  /** Closes the toasts about a topic, for instance before a retry. */
  dismiss(about: Topic): void
}

/** The topic of a toast, such as 'invite'. A new toast replaces older ones about the same topic. */
type Topic = string

/** A toast closes after this time, on whatever screen (CO-5). */
export const toastMs = 5000

/** Context of the toasts. There is at most one provider. */
export const ToastsContext = createContext<Toasts | null>(null)

/** Returns the functions that show toasts. The object is stable across renders. */
export function useToasts(): Toasts {
  const toasts = use(ToastsContext)
  if (!toasts) throw new Error('useToasts needs a provider of ToastsContext above it.')
  return toasts
}
