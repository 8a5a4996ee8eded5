import { Component, type ComponentType, createElement, type ReactNode } from 'react'

interface Props {
  onFault?: (error: unknown) => void
  children: ReactNode
}

/** Renders nothing in place of a part that fails; for small parts without room for an error card. */
export class Quiet extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.onFault?.(error)
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}

/** The icon, or nothing if it fails. */
export function quietIcon(icon: ComponentType, onFault: () => void): ComponentType {
  return function Icon(props: object) {
    return <Quiet onFault={onFault}>{createElement(icon, props)}</Quiet>
  }
}
