import { TestEnvironment } from 'jest-environment-node';

/** Gives the files of a group one environment, and each of them a block for its tests and hooks. */
export default class GroupEnvironment extends TestEnvironment {
  handleTestEvent({ name }, state) {
    if (name !== 'setup') return;
    /** `load` imports the file. A file that cannot be imported has one test, which fails. */
    this.global.describeFile = async (file, load) => {
      const root = state.currentDescribeBlock;
      this.global.describe(file, () => undefined);
      state.currentDescribeBlock = root.children.at(-1);
      try {
        await load();
      } catch (error) {
        this.global.test('can be imported', () => {
          throw error;
        });
      } finally {
        state.currentDescribeBlock = root;
      }
    };
  }
}
