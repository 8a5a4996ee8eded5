import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'

/** The primary button of a list's page: begins a new record. */
export function AddButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <Button type="primary" icon={<IconPlus />} onClick={onClick}>
      {label}
    </Button>
  )
}
