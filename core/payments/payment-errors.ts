import { errorType, type Text } from '../contract/errors.ts'
import { orderStatus } from '../data/models/top-up.ts'

export const paymentOff = errorType('payment.off', 403, {
  en: 'The administrator has not enabled online top-up.',
  zh: '管理员未开启在线充值功能。',
})
export const noAddress = errorType('payment.no_address', 503, {
  en: 'This site does not know its own address yet, to which payments return. An administrator must set the server address in the system settings.',
  zh: '本站尚未设置服务器地址，支付完成后无法返回，请管理员在系统设置中填写。',
})
/** For the customer, whom the way to the provider does not concern; the cause is for the process log. */
export const providerAway = errorType('payment.provider_away', 503, {
  en: 'The payment provider cannot be reached at the moment. Nothing was charged. Try again in a minute, or pay in another way.',
  zh: '暂时无法连接支付平台，未产生扣款，请稍后重试或更换支付方式。',
})
export const methodUnknown = errorType('payment.method_unknown', 400, {
  en: 'This way to pay does not exist.',
  zh: '支付方式不存在。',
})
export const belowMinimum = errorType<{ minimum: number }>('payment.below_minimum', 400, {
  en: 'The top-up amount must not be below {minimum}.',
  zh: '充值数量不能小于 {minimum}。',
})
export const amountTooLarge = errorType('payment.amount_too_large', 400, {
  en: 'The top-up amount is too large.',
  zh: '充值数量过大。',
})
export const sumTooLow = errorType('payment.sum_too_low', 400, {
  en: 'The sum to pay is too low. Enter a larger amount.',
  zh: '充值金额过低，请增加充值数量。',
})
export const orderUnknown = errorType('payment.order_unknown', 404, {
  en: 'There is no such order.',
  zh: '充值订单不存在。',
})
const closed = errorType<{ status: string; state: Text }>('payment.order_closed', 409, {
  en: 'This order can no longer be completed: it {state}.',
  zh: '该订单{state}，无法补单。',
})
export const orderClosed = (status: string) =>
  closed({ status, state: closedStates.get(status) ?? { en: 'is closed', zh: '已关闭' } })

const closedStates: ReadonlyMap<string, Text> = new Map([
  [orderStatus.paid, { en: 'is paid and credited', zh: '已支付并入账' }],
  [orderStatus.refunded, { en: 'was refunded', zh: '已退款' }],
  [orderStatus.unowned, { en: 'was paid, but its account is removed', zh: '已付款但账户已删除' }],
])
export const accountRemoved = errorType('payment.account_removed', 409, {
  en: 'The account of this order is deregistered or removed, so nothing can be credited. Refund the payment at the provider.',
  zh: '该订单的账户已注销或删除，无法入账，请在支付平台退款。',
})
export const noticeWrong = errorType<{ reason: string }>('payment.notice_wrong', 400, {
  en: 'The payment notice does not belong to the order: {reason}.',
  zh: '支付通知与订单不符：{reason}。',
})
