import { Component, type ComponentType, createElement, type ReactNode } from 'react'
import { noteFailure } from '../registry.ts'
import { faultText } from '../sound-part.ts'

export interface FaultProps {
  owner: string
  message: string
  title: string
}

interface Props {
  owner: string
  /** Rendered in place of a failed part; left out: nothing. */
  instead?: ComponentType<FaultProps>
  /** The name of the failed part, for `instead`. */
  title?: string
  onFault?: (fault: string) => void
  children: ReactNode
}

/** Removes only the contribution of a plugin that fails in another plugin's place. The Plugins screen names the
 *  plugin. */
export class SlotBoundary extends Component<Props, { fault: string | undefined }> {
  override state: { fault: string | undefined } = { fault: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { fault: faultText(error) }
  }

  override componentDidCatch(error: unknown) {
    const { owner, onFault } = this.props
    noteFailure(owner, faultText(error))
    onFault?.(faultText(error))
  }

  override render() {
    const { fault } = this.state
    if (fault === undefined) return this.props.children
    const { instead, owner, title = '' } = this.props
    return instead ? createElement(instead, { owner, message: fault, title }) : null
  }
}
