import { Component, type ReactNode } from 'react'
import { BrokenScreen } from './BrokenScreen.tsx'

interface Props {
  children: ReactNode
}

/**
 * Error boundary: shows `BrokenScreen` when a screen throws. React supports only classes for this.
 */
export class CatchBroken extends Component<Props, { reason: unknown }> {
  override state = { reason: null }

  static getDerivedStateFromError(reason: unknown) {
    return { reason }
  }

  override render() {
    return this.state.reason ? <BrokenScreen reason={this.state.reason} /> : this.props.children
  }
}
