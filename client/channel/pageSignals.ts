/** Page events that the connection reacts to. */
export interface PageSignals {
  isOnline(): boolean
  /** Each returns a function that removes the listener. */
  onOnline(listener: () => void): () => void
  onOffline(listener: () => void): () => void
  onVisible(listener: () => void): () => void
  /** The device changed networks. Not all browsers report it. */
  onNetwork(listener: () => void): () => void
}
