import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limitsQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Page } from '../../elements/page.js';
import { Panel } from '../../elements/panel.js';
import { Empty, Loaded } from '../../elements/states.js';
import { BudgetSponsorChoice } from '../sponsorships/sponsor-choice.js';
import { BudgetBars } from './budget-bars.js';

/** The limits of the caller's own token. */
export function LimitsPage() {
  const { token, user } = useCaller();
  const [sponsor, setSponsor] = useState('');
  const query = useQuery(limitsQuery(sponsor));
  return (
    <Page
      title="My limits"
      lead="What your token may spend, and what is left of it."
      actions={<BudgetSponsorChoice value={sponsor} onChoose={setSponsor} />}
    >
      <Loaded query={query}>
        {({ limits }) => {
          const own = limits.find((one) => one.token === token);
          return (
            <>
              <Panel
                title="Budgets"
                note={sponsor === '' ? 'of the sponsor that pays where none is chosen' : undefined}
              >
                {own === undefined || own.budgets.length === 0 ? (
                  <Empty
                    title={
                      user === null ? 'The token has no budget' : 'Budgets are shared by all users'
                    }
                  >
                    {user === null
                      ? 'Rules and the sponsor’s own budget may still limit it.'
                      : 'What is left of them is shown to the application’s own token only.'}
                  </Empty>
                ) : (
                  <BudgetBars budgets={own.budgets} />
                )}
              </Panel>
              <Panel title="Other limits">
                {own === undefined || own.others.length === 0 ? (
                  <p className="text-soft">The defaults of the gas station.</p>
                ) : (
                  <ul>
                    {own.others.map((text) => (
                      <li key={text}>{text}</li>
                    ))}
                  </ul>
                )}
              </Panel>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
