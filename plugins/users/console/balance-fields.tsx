import { Button, Radio } from '@arco-design/web-react'
import {
  Field,
  fieldRule,
  formatQuota,
  formatWholeQuota,
  QuotaInput,
  unitsOf,
  useFormValue,
  useQuotaStyle,
  useTexts,
} from '#console'

/** The change of a balance in the form: by an amount, which keeps what is spent meanwhile, or to a value. */
export interface BalanceForm {
  balance_mode: 'change' | 'set'
  quota_change?: number
  quota: number
}

export function balanceOf(quota: number): BalanceForm {
  return { balance_mode: 'change', quota_change: 0, quota }
}

export function balanceToAdd({ balance_mode, quota_change }: BalanceForm): number {
  return balance_mode === 'change' ? (quota_change ?? 0) : 0
}

/** @param balance as it is known by now */
export function BalanceFields({ balance }: { balance: number }) {
  const t = useTexts('users')
  const mode = useFormValue<BalanceForm['balance_mode']>('balance_mode') ?? 'change'
  const isSet = mode === 'set'
  return (
    <>
      <Field name="balance_mode" label={t('field.quota')}>
        <Radio.Group
          type="button"
          options={[
            { value: 'change', label: t('balance.change') },
            { value: 'set', label: t('balance.set') },
          ]}
        />
      </Field>
      <Field
        name="quota_change"
        label={t('balance.by')}
        help={t('help.change')}
        isHidden={isSet}
        rules={[
          fieldRule<number>((value) =>
            isSet || balance + (value ?? 0) >= 0 ? undefined : t('fault.change'),
          ),
        ]}
      >
        <ChangeInput quota={balance} />
      </Field>
      <Field
        name="quota"
        label={t('balance.to')}
        help={t('help.quota')}
        isHidden={!isSet}
        rules={[
          fieldRule<number>((value) =>
            !isSet || (value !== undefined && value >= 0) ? undefined : t('fault.quota'),
          ),
        ]}
      >
        <QuotaInput />
      </Field>
    </>
  )
}

const amountsToAdd = [1, 10, 50, 100, 500, 1000]

/** The amount to add (negative: to take away), and the resulting balance. */
function ChangeInput({
  quota,
  ...input
}: {
  id?: string
  value?: number
  onChange?: (units: number | undefined) => void
  quota: number
}) {
  const t = useTexts('users')
  const style = useQuotaStyle()
  const change = input.value ?? 0
  return (
    <div className="user-balance">
      <QuotaInput {...input} />
      <div className="quota-presets" role="group" aria-label={t('adjust.label')}>
        {amountsToAdd.map((dollars) => {
          const units = unitsOf(dollars, style.quotaPerUnit)
          return (
            <Button key={dollars} size="mini" onClick={() => input.onChange?.(change + units)}>
              {t('adjust.add', { amount: formatQuota(units, style) })}
            </Button>
          )
        })}
      </div>
      <p className="number">
        {t('balance.result', {
          before: formatWholeQuota(quota, style),
          after: formatWholeQuota(quota + change, style),
        })}
      </p>
    </div>
  )
}
