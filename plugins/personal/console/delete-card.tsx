import { Button } from '@arco-design/web-react'
import {
  api,
  Card,
  confirm,
  type OwnAccount,
  toast,
  useAction,
  useSession,
  useTexts,
} from '#console'
import { useNavigate } from 'react-router-dom'

export function DeleteCard({ own }: { own: OwnAccount }) {
  const t = useTexts('personal')
  const navigate = useNavigate()
  const [remove, isRemoving] = useAction(async () => {
    const isAgreed = await confirm(() => ({
      title: t('delete.title'),
      content: t('delete.text', { name: own.username }),
      confirmLabel: t('delete.do'),
      isDanger: true,
      typeToConfirm: own.username,
    }))
    if (!isAgreed) return
    await api.delete('/api/user/self')
    useSession.getState().signOut()
    toast.success(t('delete.done'))
    await navigate('/login')
  })
  return (
    <Card title={t('delete.title')} hint={t('delete.hint')}>
      <Button status="danger" loading={isRemoving} onClick={() => void remove()}>
        {t('delete.do')}
      </Button>
    </Card>
  )
}
