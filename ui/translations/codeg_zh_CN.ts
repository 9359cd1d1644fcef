<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
    <context>
        <name>codeg</name>
        <message>
            <location filename="../bridge_host.py" />
            <source>A fault of Codeg: {fault}</source>
            <translation>Codeg出错：{fault}</translation>
        </message>
        <message>
            <location filename="../desktop.py" />
            <source>Opening your sessions…</source>
            <translation>正在打开你的会话…</translation>
        </message>
        <message>
            <location filename="../desktop_questions.py" />
            <source>No host in this window</source>
            <translation>此窗口没有主机</translation>
        </message>
        <message>
            <location filename="../viewmodels/ask_desk.py" />
            <source>Allowed from now on: {what}</source>
            <translation>今后都允许：{what}</translation>
        </message>
        <message>
            <location filename="../viewmodels/ask_desk.py" />
            <source>Allowed once: {what}</source>
            <translation>已允许一次：{what}</translation>
        </message>
        <message>
            <location filename="../viewmodels/ask_desk.py" />
            <source>Answered: {answers}</source>
            <translation>已回答：{answers}</translation>
        </message>
        <message>
            <location filename="../viewmodels/ask_desk.py" />
            <source>Rejected: {what}</source>
            <translation>已拒绝：{what}</translation>
        </message>
        <message>
            <location filename="../viewmodels/ask_desk.py" />
            <source>Skipped: {what}</source>
            <translation>已跳过：{what}</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>Allow this?</source>
            <translation>允许这个操作吗？</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/asking.py" />
            <source>Delete %n files?</source>
            <translation>
                <numerusform>删除%n个文件吗？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/asking.py" />
            <source>Edit %n files?</source>
            <translation>
                <numerusform>编辑%n个文件吗？</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>Go ahead with this plan?</source>
            <translation>按这个计划进行吗？</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>Holds for later calls as well, as the agent defines it.</source>
            <translation>对以后的调用也有效，范围由智能体定义。</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/asking.py" />
            <source>Move %n files?</source>
            <translation>
                <numerusform>移动%n个文件吗？</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>Open a page?</source>
            <translation>打开网页吗？</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>Read a file?</source>
            <translation>读取文件吗？</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>Refuses later calls as well, as the agent defines it.</source>
            <translation>以后的调用也会拒绝，范围由智能体定义。</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>Run a command?</source>
            <translation>运行命令吗？</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>Search?</source>
            <translation>搜索吗？</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>asks for a permission</source>
            <translation>请求权限</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>asks for your word on a plan</source>
            <translation>请你决定一个计划</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/asking.py" />
            <source>has %n questions</source>
            <translation>
                <numerusform>有%n个问题</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/asking.py" />
            <source>wants to delete %n files</source>
            <translation>
                <numerusform>想删除%n个文件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/asking.py" />
            <source>wants to edit %n files</source>
            <translation>
                <numerusform>想编辑%n个文件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/asking.py" />
            <source>wants to move %n files</source>
            <translation>
                <numerusform>想移动%n个文件</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>wants to open a page</source>
            <translation>想打开网页</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>wants to read a file</source>
            <translation>想读取文件</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>wants to run a command</source>
            <translation>想运行命令</translation>
        </message>
        <message>
            <location filename="../viewmodels/asking.py" />
            <source>wants to search</source>
            <translation>想搜索</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/board.py" />
            <source>%n delegated tasks</source>
            <translation>
                <numerusform>%n个委派任务</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/board.py" />
            <source>Any age</source>
            <translation>任意时间</translation>
        </message>
        <message>
            <location filename="../viewmodels/board.py" />
            <source>Failed or canceled</source>
            <translation>失败或已取消</translation>
        </message>
        <message>
            <location filename="../viewmodels/board.py" />
            <source>Last 24 hours</source>
            <translation>最近24小时</translation>
        </message>
        <message>
            <location filename="../viewmodels/board.py" />
            <source>Last 30 days</source>
            <translation>最近30天</translation>
        </message>
        <message>
            <location filename="../viewmodels/board.py" />
            <source>Last 7 days</source>
            <translation>最近7天</translation>
        </message>
        <message>
            <location filename="../viewmodels/board.py" />
            <source>Running</source>
            <translation>运行中</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/board.py" />
            <source>Show %n older</source>
            <translation>
                <numerusform>显示更早的%n个</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/board_faces.py" />
            <source>In line</source>
            <translation>排队中</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_faces.py" />
            <source>Plan: {what}</source>
            <translation>计划：{what}</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_faces.py" />
            <source>asked {age} ago</source>
            <translation>{age}前委派</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_faces.py" />
            <source>{age} ago</source>
            <translation>{age}前</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_faces.py" />
            <source>{folder} › {agent}</source>
            <translation>{folder} › {agent}</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_faces.py" />
            <source>{place} in line</source>
            <translation>排队{place}位</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_faces.py" />
            <source>{what}?</source>
            <translation>{what}？</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_table.py" />
            <source>Asked</source>
            <translation>委派时间</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_table.py" />
            <source>Asked for by</source>
            <translation>委派者</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_table.py" />
            <source>Cost</source>
            <translation>费用</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_table.py" />
            <source>Latest</source>
            <translation>最新动态</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_table.py" />
            <source>State</source>
            <translation>状态</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_table.py" />
            <source>Time</source>
            <translation>用时</translation>
        </message>
        <message>
            <location filename="../viewmodels/board_table.py" />
            <source>Tools</source>
            <translation>工具</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/cards.py" />
            <source>%n changed files are kept</source>
            <translation>
                <numerusform>已保留%n个改动的文件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/cards.py" />
            <source>%n tools</source>
            <translation>
                <numerusform>%n个工具</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Asking you</source>
            <translation>正在问你</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>At work</source>
            <translation>工作中</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Continue with a follow-up…</source>
            <translation>接着追问…</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Copy error</source>
            <translation>复制错误</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Done</source>
            <translation>已完成</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Handing on work</source>
            <translation>正在委派工作</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Its processes are ending</source>
            <translation>正在结束它的进程</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Looking for your notes</source>
            <translation>正在查看你的备注</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Nothing more is known of this child</source>
            <translation>关于这个子智能体没有更多信息</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Resuming a child</source>
            <translation>正在继续一个子智能体</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Show task</source>
            <translation>显示任务</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Start again</source>
            <translation>重新启动</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Start now</source>
            <translation>立即启动</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Starts next</source>
            <translation>下一个启动</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/cards.py" />
            <source>Starts when one of %n running children ends</source>
            <translation>
                <numerusform>%n个运行中的子智能体有一个结束后启动</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Still no answer from {agent}</source>
            <translation>{agent}仍无响应</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Stopped at a folder that needs your permission</source>
            <translation>停在需要你许可的文件夹</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Stopped by you</source>
            <translation>你已停止</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Stopped on request</source>
            <translation>按要求停止</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Stopped: the session that asked for it has ended</source>
            <translation>已停止：委派它的会话已结束</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Stopped: {reason}</source>
            <translation>已停止：{reason}</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Stopping a child</source>
            <translation>正在停止一个子智能体</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Sub-agent</source>
            <translation>子智能体</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>The host closed while it ran; its work so far is kept</source>
            <translation>运行时主机关闭了；已有成果已保留</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Waiting for its children</source>
            <translation>正在等待它的子智能体</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Waiting for the agent's first answer</source>
            <translation>正在等待智能体的首次响应</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>Waiting for the host's word</source>
            <translation>正在等待主机答复</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>its work so far is kept</source>
            <translation>已有成果已保留</translation>
        </message>
        <message>
            <location filename="../viewmodels/cards.py" />
            <source>{agent} waits for you</source>
            <translation>{agent}等你处理</translation>
        </message>
        <message>
            <location filename="../viewmodels/composing.py" />
            <source>Describe the work. @ names agents, files and sessions.</source>
            <translation>描述要做的事。用@提及智能体、文件和会话。</translation>
        </message>
        <message>
            <location filename="../viewmodels/composing.py" />
            <source>Follow-up for {name}</source>
            <translation>追问{name}</translation>
        </message>
        <message>
            <location filename="../viewmodels/composing.py" />
            <source>Message {name}</source>
            <translation>给{name}发消息</translation>
        </message>
        <message>
            <location filename="../viewmodels/composing.py" />
            <source>Note for {name}</source>
            <translation>给{name}的备注</translation>
        </message>
        <message>
            <location filename="../viewmodels/composing.py" />
            <source>Pasted text, {letters} characters</source>
            <translation>粘贴的文本，{letters}个字符</translation>
        </message>
        <message>
            <location filename="../viewmodels/composing.py" />
            <source>Steer {name}</source>
            <translation>引导{name}</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/first_start.py" />
            <source>%n agents are ready</source>
            <translation>
                <numerusform>%n个智能体已就绪</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/first_start.py" />
            <source>%n agents found, none ready yet — the demo works at once</source>
            <translation>
                <numerusform>找到%n个智能体，都还未就绪——演示可以立即使用</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/first_start.py" />
            <source>Always ready</source>
            <translation>随时可用</translation>
        </message>
        <message>
            <location filename="../viewmodels/first_start.py" />
            <source>Built in, needs no key and no network</source>
            <translation>内置，无需密钥和网络</translation>
        </message>
        <message>
            <location filename="../viewmodels/first_start.py" />
            <source>Does not start</source>
            <translation>无法启动</translation>
        </message>
        <message>
            <location filename="../viewmodels/first_start.py" />
            <source>How to sign in</source>
            <translation>如何登录</translation>
        </message>
        <message>
            <location filename="../viewmodels/first_start.py" />
            <source>Looking for agents…</source>
            <translation>正在查找智能体…</translation>
        </message>
        <message>
            <location filename="../viewmodels/first_start.py" />
            <source>No agent found yet — the demo works without one</source>
            <translation>还没有找到智能体——演示不需要智能体也能用</translation>
        </message>
        <message>
            <location filename="../viewmodels/first_start.py" />
            <source>Show why</source>
            <translation>显示原因</translation>
        </message>
        <message>
            <location filename="../viewmodels/first_start.py" />
            <source>Signed in</source>
            <translation>已登录</translation>
        </message>
        <message>
            <location filename="../viewmodels/first_start.py" />
            <source>Start session</source>
            <translation>开始会话</translation>
        </message>
        <message>
            <location filename="../viewmodels/first_start.py" />
            <source>Try the demo</source>
            <translation>试试演示</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/inbox.py" />
            <source>%n asks</source>
            <translation>
                <numerusform>%n个请求</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/inbox.py" />
            <source>%n children are running</source>
            <translation>
                <numerusform>%n个子智能体运行中</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/inbox.py" />
            <source>%n sessions</source>
            <translation>
                <numerusform>%n个会话</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/inbox.py" />
            <source>%n steps</source>
            <translation>
                <numerusform>%n个步骤</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/inbox.py" />
            <source>{asks} in {sessions}, oldest first</source>
            <translation>{sessions}中有{asks}，最早的在前</translation>
        </message>
        <message>
            <location filename="../viewmodels/inbox.py" />
            <source>{plan} — {steps}</source>
            <translation>{plan}，共{steps}</translation>
        </message>
        <message>
            <location filename="../viewmodels/mentions.py" />
            <source>Not signed in</source>
            <translation>未登录</translation>
        </message>
        <message>
            <location filename="../viewmodels/mentions.py" />
            <source>Switched off in Settings</source>
            <translation>已在设置中关闭</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/overlay.py" />
            <source>%n canceled</source>
            <translation>
                <numerusform>%n个已取消</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/overlay.py" />
            <source>%n completed</source>
            <translation>
                <numerusform>%n个已完成</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/overlay.py" />
            <source>%n interrupted</source>
            <translation>
                <numerusform>%n个已中断</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/overlay.py" />
            <source>%n starting</source>
            <translation>
                <numerusform>%n个启动中</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/overlay.py" />
            <source>%n waiting for you</source>
            <translation>
                <numerusform>%n个等你处理</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/palette.py" />
            <source>Cancel {name}, {title}</source>
            <translation>取消{name}，{title}</translation>
        </message>
        <message>
            <location filename="../viewmodels/palette.py" />
            <source>Child</source>
            <translation>子智能体</translation>
        </message>
        <message>
            <location filename="../viewmodels/palette.py" />
            <source>Stop all children</source>
            <translation>停止全部子智能体</translation>
        </message>
        <message>
            <location filename="../viewmodels/palette.py" />
            <source>Stop {name}, {title}</source>
            <translation>停止{name}，{title}</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>A child may start children of its own, down to this level.</source>
            <translation>子智能体也可以启动自己的子智能体，最深到这一层。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>A folder outside the session's</source>
            <translation>会话文件夹之外的文件夹</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>A notification of the system while this window is not in front.</source>
            <translation>此窗口不在最前时发送系统通知。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Allow</source>
            <translation>允许</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Appearance</source>
            <translation>外观</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>As the system</source>
            <translation>跟随系统</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Ask me</source>
            <translation>问我</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Children of children count too.</source>
            <translation>子智能体的子智能体也计入。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Delegate from agents that run in a terminal.</source>
            <translation>从终端里运行的智能体委派工作。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Delegation</source>
            <translation>委派</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Depth</source>
            <translation>层数</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Every action and its key.</source>
            <translation>每个操作及其快捷键。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Finished answers stay at hand in memory up to this size. 0 is no limit.</source>
            <translation>已完成的结果在内存中最多保留到这个大小。0表示不限。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Folders and outside sessions</source>
            <translation>文件夹与外部会话</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Font size</source>
            <translation>字号</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>How agents may hand work to other agents.</source>
            <translation>智能体如何把工作委派给其他智能体。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>How the window looks.</source>
            <translation>窗口的外观。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>In which language the window speaks.</source>
            <translation>窗口使用的语言。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Integrations</source>
            <translation>集成</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Kept results</source>
            <translation>保留的结果</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Keyboard</source>
            <translation>键盘</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Let agents delegate</source>
            <translation>允许智能体委派</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Light or dark.</source>
            <translation>浅色或深色。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Longest run</source>
            <translation>最长运行时间</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>MB</source>
            <translation>MB</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Marks stand still and nothing blends.</source>
            <translation>标记静止，没有过渡动画。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>More than this are refused, and the agent is told why.</source>
            <translation>超出的会被拒绝，并告知智能体原因。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Notifications</source>
            <translation>通知</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Of one session. More than this wait in the queue, in the order they were asked for.</source>
            <translation>按单个会话计。超出的按委派顺序排队等候。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Of the interface; all other sizes follow it.</source>
            <translation>界面的字号；其他大小随之变化。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Off: the tools are hidden from every new session.</source>
            <translation>关闭后，新会话都看不到委派工具。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Queue</source>
            <translation>队列</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Reduce motion</source>
            <translation>减少动态效果</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Refuse</source>
            <translation>拒绝</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Running at once</source>
            <translation>同时运行</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Running at once below one conversation</source>
            <translation>单个对话下同时运行</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Takes a whole number from {least} to {most}.</source>
            <translation>请填{least}到{most}之间的整数。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Tell me when an agent needs me</source>
            <translation>智能体需要我时通知我</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>The window speaks it after the next start.</source>
            <translation>下次启动后生效。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Theme</source>
            <translation>主题</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Then the child is stopped and its work kept. Waiting for you does not count. 0 is no limit.</source>
            <translation>到时会停止子智能体并保留其成果。等你处理的时间不计入。0表示不限。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>What reaches you outside the window.</source>
            <translation>在窗口之外通知你的内容。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>When an agent hands on work for another folder.</source>
            <translation>当智能体委派其他文件夹的工作时。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>Which agents may be used, and how each is started.</source>
            <translation>可以使用哪些智能体，以及如何启动它们。</translation>
        </message>
        <message>
            <location filename="../viewmodels/preferences.py" />
            <source>min</source>
            <translation>分钟</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/sidebar.py" />
            <source>Folder {name}, %n sessions</source>
            <translation>
                <numerusform>文件夹{name}，%n个会话</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/sidebar.py" />
            <source>Outside session, lives in a terminal</source>
            <translation>外部会话，在终端中运行</translation>
        </message>
        <message>
            <location filename="../viewmodels/sidebar.py" />
            <source>not looked at yet</source>
            <translation>尚未查看</translation>
        </message>
        <message>
            <location filename="../viewmodels/sidebar.py" />
            <source>outside session, lives in a terminal</source>
            <translation>外部会话，在终端中运行</translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/status.py" />
            <source>%n queued</source>
            <translation>
                <numerusform>%n个排队中</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../viewmodels/status.py" />
            <source>%n sessions at work</source>
            <translation>
                <numerusform>%n个会话工作中</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../viewmodels/status.py" />
            <source>Host running</source>
            <translation>主机运行中</translation>
        </message>
        <message>
            <location filename="../viewmodels/status.py" />
            <source>Nothing running</source>
            <translation>没有任务运行</translation>
        </message>
        <message>
            <location filename="../viewmodels/status.py" />
            <source>Today {what}</source>
            <translation>今天{what}</translation>
        </message>
        <message>
            <location filename="../viewmodels/status.py" />
            <source>{count} tokens</source>
            <translation>{count} token</translation>
        </message>
        <message>
            <location filename="../viewmodels/timeline.py" />
            <source>{d}d</source>
            <translation>{d}天</translation>
        </message>
        <message>
            <location filename="../viewmodels/timeline.py" />
            <source>{h}h</source>
            <translation>{h}小时</translation>
        </message>
        <message>
            <location filename="../viewmodels/timeline.py" />
            <source>{m}m</source>
            <translation>{m}分钟</translation>
        </message>
        <message>
            <location filename="../viewmodels/timeline.py" />
            <source>{s}s</source>
            <translation>{s}秒</translation>
        </message>
        <message>
            <location filename="../viewmodels/world.py" />
            <source>Task without a text</source>
            <translation>没有文本的任务</translation>
        </message>
        <message>
            <location filename="../viewmodels/world.py" />
            <source>{program} in a terminal</source>
            <translation>终端中的{program}</translation>
        </message>
        <message>
            <location filename="../widgets/asks/answered.py" />
            <source>{answer}, {time}</source>
            <translation>{answer}，{time}</translation>
        </message>
        <message>
            <location filename="../widgets/asks/option.py" />
            <source>recommended</source>
            <translation>推荐</translation>
        </message>
        <message>
            <location filename="../widgets/asks/permission.py" />
            <source>Characters that cannot be seen or that turn the text are shown as codes.</source>
            <translation>不可见或改变文字方向的字符以代码显示。</translation>
        </message>
        <message>
            <location filename="../widgets/asks/permission.py" />
            <source>Holds this once.</source>
            <translation>仅这一次有效。</translation>
        </message>
        <message>
            <location filename="../widgets/asks/permission.py" />
            <source>Reject with a note</source>
            <translation>拒绝并附上备注</translation>
        </message>
        <message>
            <location filename="../widgets/asks/permission.py" />
            <source>What should it do instead?</source>
            <translation>它应该改做什么？</translation>
        </message>
        <message>
            <location filename="../widgets/asks/permission.py" />
            <source>in {folder}</source>
            <translation>在{folder}中</translation>
        </message>
        <message>
            <location filename="../widgets/asks/plan.py" />
            <source>Ask for changes…</source>
            <translation>要求修改…</translation>
        </message>
        <message>
            <location filename="../widgets/asks/plan.py" />
            <source>What should it change?</source>
            <translation>它应该修改什么？</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/asks/questions.py" />
            <source>%n questions</source>
            <translation>
                <numerusform>%n个问题</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/asks/questions.py" />
            <source>Next question</source>
            <translation>下一个问题</translation>
        </message>
        <message>
            <location filename="../widgets/asks/questions.py" />
            <source>Other</source>
            <translation>其他</translation>
        </message>
        <message>
            <location filename="../widgets/asks/questions.py" />
            <source>Pick any number</source>
            <translation>可多选</translation>
        </message>
        <message>
            <location filename="../widgets/asks/questions.py" />
            <source>Pick one</source>
            <translation>单选</translation>
        </message>
        <message>
            <location filename="../widgets/asks/questions.py" />
            <source>Send answers</source>
            <translation>发送回答</translation>
        </message>
        <message>
            <location filename="../widgets/asks/questions.py" />
            <source>Skip all</source>
            <translation>全部跳过</translation>
        </message>
        <message>
            <location filename="../widgets/asks/questions.py" />
            <source>Write your own answer</source>
            <translation>写下你自己的回答</translation>
        </message>
        <message>
            <location filename="../widgets/asks/questions.py" />
            <source>{done} of {all} answered</source>
            <translation>已回答{done}/{all}</translation>
        </message>
        <message>
            <location filename="../widgets/asks/strip.py" />
            <source>Show</source>
            <translation>显示</translation>
        </message>
        <message>
            <location filename="../widgets/asks/strip.py" />
            <source>Show: {what}</source>
            <translation>显示：{what}</translation>
        </message>
        <message>
            <location filename="../widgets/board/ask_side.py" />
            <source>Show in Needs you</source>
            <translation>在“等你处理”中显示</translation>
        </message>
        <message>
            <location filename="../widgets/board/ask_side.py" />
            <source>What it asks</source>
            <translation>它的请求</translation>
        </message>
        <message>
            <location filename="../widgets/board/card.py" />
            <source>Answer</source>
            <translation>答复</translation>
        </message>
        <message>
            <location filename="../widgets/board/filters.py" />
            <source>Age</source>
            <translation>时间</translation>
        </message>
        <message>
            <location filename="../widgets/board/filters.py" />
            <source>All agents</source>
            <translation>全部智能体</translation>
        </message>
        <message>
            <location filename="../widgets/board/filters.py" />
            <source>All folders</source>
            <translation>全部文件夹</translation>
        </message>
        <message>
            <location filename="../widgets/board/filters.py" />
            <source>Columns</source>
            <translation>分栏</translation>
        </message>
        <message>
            <location filename="../widgets/board/filters.py" />
            <source>Folder</source>
            <translation>文件夹</translation>
        </message>
        <message>
            <location filename="../widgets/board/filters.py" />
            <source>Only {column}</source>
            <translation>仅{column}</translation>
        </message>
        <message>
            <location filename="../widgets/board/filters.py" />
            <source>Only {column}; press to show all columns</source>
            <translation>仅{column}；按下显示全部分栏</translation>
        </message>
        <message>
            <location filename="../widgets/board/filters.py" />
            <source>Table</source>
            <translation>表格</translation>
        </message>
        <message>
            <location filename="../widgets/board/page.py" />
            <source>No task fits these filters.</source>
            <translation>没有符合筛选条件的任务。</translation>
        </message>
        <message>
            <location filename="../widgets/board/page.py" />
            <source>Nothing was delegated yet.</source>
            <translation>还没有委派过任务。</translation>
        </message>
        <message>
            <location filename="../widgets/board/page.py" />
            <source>Open in the conversation</source>
            <translation>在对话中打开</translation>
        </message>
        <message>
            <location filename="../widgets/board/table.py" />
            <source>Delegated tasks</source>
            <translation>委派任务</translation>
        </message>
        <message>
            <location filename="../widgets/cards/deeds.py" />
            <source>No other agent is ready</source>
            <translation>没有其他就绪的智能体</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/cards/deeds.py" />
            <source>Stop {agent} and its %n children?</source>
            <translation>
                <numerusform>停止{agent}及其%n个子智能体吗？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/cards/inside.py" />
            <source>%n files changed</source>
            <translation>
                <numerusform>%n个文件已更改</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/cards/inside.py" />
            <source>Copy result</source>
            <translation>复制结果</translation>
        </message>
        <message>
            <location filename="../widgets/cards/inside.py" />
            <source>Error</source>
            <translation>错误</translation>
        </message>
        <message>
            <location filename="../widgets/cards/inside.py" />
            <source>Run again</source>
            <translation>重新运行</translation>
        </message>
        <message>
            <location filename="../widgets/cards/inside.py" />
            <source>Run with another agent…</source>
            <translation>用其他智能体运行…</translation>
        </message>
        <message>
            <location filename="../widgets/cards/inside.py" />
            <source>Transcript</source>
            <translation>记录</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/cards/inside.py" />
            <source>Transcript, %n tool calls</source>
            <translation>
                <numerusform>记录，%n次工具调用</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/cards/lines.py" />
            <source>Note for {agent}</source>
            <translation>给{agent}的备注</translation>
        </message>
        <message>
            <location filename="../widgets/cards/lines.py" />
            <source>What should it do next?</source>
            <translation>它接下来该做什么？</translation>
        </message>
        <message>
            <location filename="../widgets/cards/lines.py" />
            <source>{note} · delivered {time}</source>
            <translation>{note} · {time}送达</translation>
        </message>
        <message>
            <location filename="../widgets/cards/lines.py" />
            <source>{note} · pending</source>
            <translation>{note} · 待送达</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/composer/attachments.py" />
            <source>%n images are the most of one prompt.</source>
            <translation>
                <numerusform>一条提示最多%n张图片。</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/composer/attachments.py" />
            <source>Attached images</source>
            <translation>已附加的图片</translation>
        </message>
        <message>
            <location filename="../widgets/composer/attachments.py" />
            <source>Image {position}</source>
            <translation>图片{position}</translation>
        </message>
        <message>
            <location filename="../widgets/composer/attachments.py" />
            <source>Remove {name}</source>
            <translation>移除{name}</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/composer/attachments.py" />
            <source>The images are too large: %n MB are the most of one prompt.</source>
            <translation>
                <numerusform>图片太大：一条提示最多%n MB。</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/composer/buttons.py" />
            <source>Leave a note</source>
            <translation>留下备注</translation>
        </message>
        <message>
            <location filename="../widgets/composer/buttons.py" />
            <source>Send</source>
            <translation>发送</translation>
        </message>
        <message>
            <location filename="../widgets/composer/editor.py" />
            <source>What you pasted is too long: {most} characters are the most. Attach it as a file.</source>
            <translation>粘贴的内容太长：最多{most}个字符。请作为文件附加。</translation>
        </message>
        <message>
            <location filename="../widgets/composer/giving.py" />
            <source>Attach files or images</source>
            <translation>附加文件或图片</translation>
        </message>
        <message>
            <location filename="../widgets/composer/giving.py" />
            <source>{name} takes no images here.</source>
            <translation>{name}在这里不接受图片。</translation>
        </message>
        <message>
            <location filename="../widgets/composer/lack.py" />
            <source>Check again</source>
            <translation>重新检查</translation>
        </message>
        <message>
            <location filename="../widgets/composer/lack.py" />
            <source>No agent is chosen</source>
            <translation>未选择智能体</translation>
        </message>
        <message>
            <location filename="../widgets/composer/lack.py" />
            <source>Open Settings</source>
            <translation>打开设置</translation>
        </message>
        <message>
            <location filename="../widgets/composer/lack.py" />
            <source>Show how to install it</source>
            <translation>显示安装方法</translation>
        </message>
        <message>
            <location filename="../widgets/composer/lack.py" />
            <source>{name} is not installed</source>
            <translation>{name}未安装</translation>
        </message>
        <message>
            <location filename="../widgets/composer/lack.py" />
            <source>{name} is not signed in</source>
            <translation>{name}未登录</translation>
        </message>
        <message>
            <location filename="../widgets/composer/lack.py" />
            <source>{name} is switched off</source>
            <translation>{name}已关闭</translation>
        </message>
        <message>
            <location filename="../widgets/composer/mention_popup.py" />
            <source>Agents</source>
            <translation>智能体</translation>
        </message>
        <message>
            <location filename="../widgets/composer/mention_popup.py" />
            <source>Agents, files and sessions</source>
            <translation>智能体、文件和会话</translation>
        </message>
        <message>
            <location filename="../widgets/composer/mention_popup.py" />
            <source>All</source>
            <translation>全部</translation>
        </message>
        <message>
            <location filename="../widgets/composer/mention_popup.py" />
            <source>Files</source>
            <translation>文件</translation>
        </message>
        <message>
            <location filename="../widgets/composer/mention_popup.py" />
            <source>No agent called “{name}”</source>
            <translation>没有名为“{name}”的智能体</translation>
        </message>
        <message>
            <location filename="../widgets/composer/mention_popup.py" />
            <source>No agent, file or session called “{name}”</source>
            <translation>没有名为“{name}”的智能体、文件或会话</translation>
        </message>
        <message>
            <location filename="../widgets/composer/mention_popup.py" />
            <source>No file called “{name}”</source>
            <translation>没有名为“{name}”的文件</translation>
        </message>
        <message>
            <location filename="../widgets/composer/mention_popup.py" />
            <source>No session called “{name}”</source>
            <translation>没有名为“{name}”的会话</translation>
        </message>
        <message>
            <location filename="../widgets/composer/mention_popup.py" />
            <source>Nothing to name yet</source>
            <translation>还没有可提及的内容</translation>
        </message>
        <message>
            <location filename="../widgets/composer/mention_popup.py" />
            <source>{tab} of {tabs}</source>
            <translation>{tabs}中的{tab}</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>Agent</source>
            <translation>智能体</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>Agent: {name}</source>
            <translation>智能体：{name}</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>Attach files or images…</source>
            <translation>附加文件或图片…</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>Attach or insert</source>
            <translation>附加或插入</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>Begin another session with</source>
            <translation>用其他智能体开始新会话</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>Choose an agent</source>
            <translation>选择智能体</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>Mode</source>
            <translation>模式</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>More settings of the agent</source>
            <translation>智能体的更多设置</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>not installed</source>
            <translation>未安装</translation>
        </message>
        <message>
            <location filename="../widgets/composer/pickers.py" />
            <source>switched off in Settings</source>
            <translation>已在设置中关闭</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/composer/waiting.py" />
            <source>%n earlier notes</source>
            <translation>
                <numerusform>%n条更早的备注</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/composer/waiting.py" />
            <source>%n images</source>
            <translation>
                <numerusform>%n张图片</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>After this turn</source>
            <translation>本轮之后</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Edit and send</source>
            <translation>编辑并发送</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Edit “{text_start}”</source>
            <translation>编辑“{text_start}”</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Held</source>
            <translation>已暂停</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Move up “{text_start}”</source>
            <translation>上移“{text_start}”</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Not read by {name}</source>
            <translation>{name}未读</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Notes</source>
            <translation>备注</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Once it has started</source>
            <translation>启动之后</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Queued</source>
            <translation>排队中</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Queued for after the turn</source>
            <translation>排在本轮之后</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Remove “{text_start}”</source>
            <translation>移除“{text_start}”</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Send as next prompt</source>
            <translation>作为下一条提示发送</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>Send now</source>
            <translation>立即发送</translation>
        </message>
        <message>
            <location filename="../widgets/composer/waiting.py" />
            <source>The turn did not end well. Nothing is sent by itself.</source>
            <translation>本轮未正常结束。不会自动发送任何内容。</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/ground.py" />
            <source>Opening %n entries…</source>
            <translation>
                <numerusform>正在打开%n条记录…</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/feed/ground.py" />
            <source>Opening…</source>
            <translation>正在打开…</translation>
        </message>
        <message>
            <location filename="../widgets/feed/row_area.py" />
            <source>Transcript of the sub-agent</source>
            <translation>子智能体的记录</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/answered.py" />
            <source>Asked you: {questions}</source>
            <translation>问过你：{questions}</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/answered.py" />
            <source>Withdrawn: {questions}</source>
            <translation>已撤回：{questions}</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/answered.py" />
            <source>You answered {picks}</source>
            <translation>你的回答：{picks}</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/answered.py" />
            <source>You skipped: {questions}</source>
            <translation>你跳过了：{questions}</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n commands</source>
            <translation>
                <numerusform>%n条命令</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n deletions</source>
            <translation>
                <numerusform>%n次删除</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n edits</source>
            <translation>
                <numerusform>%n次编辑</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n failed</source>
            <translation>
                <numerusform>%n个失败</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n fetches</source>
            <translation>
                <numerusform>%n次获取</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n moves</source>
            <translation>
                <numerusform>%n次移动</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n others</source>
            <translation>
                <numerusform>%n个其他</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n reads</source>
            <translation>
                <numerusform>%n次读取</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n searches</source>
            <translation>
                <numerusform>%n次搜索</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n thoughts</source>
            <translation>
                <numerusform>%n次思考</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/group.py" />
            <source>%n tool calls</source>
            <translation>
                <numerusform>%n次工具调用</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/person.py" />
            <source>Note, delivered {time}</source>
            <translation>备注，{time}送达</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/person.py" />
            <source>Note, pending</source>
            <translation>备注，待送达</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/person.py" />
            <source>Show less</source>
            <translation>收起</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/person.py" />
            <source>Task</source>
            <translation>任务</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/person.py" />
            <source>Task: {said}</source>
            <translation>任务：{said}</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/person.py" />
            <source>You: {said}</source>
            <translation>你：{said}</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/poll.py" />
            <source>%n times</source>
            <translation>
                <numerusform>%n次</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/poll.py" />
            <source>Checked %n times</source>
            <translation>
                <numerusform>查看了%n次</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/poll.py" />
            <source>Checked on %n children, {times}</source>
            <translation>
                <numerusform>查看了%n个子智能体，{times}</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/feed/views/poll.py" />
            <source>Show %n more</source>
            <translation>
                <numerusform>再显示%n个</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/poll.py" />
            <source>last {time} ago</source>
            <translation>上次在{time}前</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/poll.py" />
            <source>was running when asked</source>
            <translation>查看时运行中</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/thought.py" />
            <source>Thinking…</source>
            <translation>思考中…</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool.py" />
            <source>Edit</source>
            <translation>编辑</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool.py" />
            <source>Fetch</source>
            <translation>获取</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool.py" />
            <source>Move</source>
            <translation>移动</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool.py" />
            <source>Read</source>
            <translation>读取</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool.py" />
            <source>Run</source>
            <translation>运行</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool.py" />
            <source>Think</source>
            <translation>思考</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool.py" />
            <source>Tool</source>
            <translation>工具</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool.py" />
            <source>folded</source>
            <translation>已折叠</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool.py" />
            <source>unfolded</source>
            <translation>已展开</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool.py" />
            <source>{added} lines added, {removed} removed</source>
            <translation>增加{added}行，删除{removed}行</translation>
        </message>
        <message>
            <location filename="../widgets/feed/views/tool_body.py" />
            <source>Input</source>
            <translation>输入</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/ask_list.py" />
            <source>What waits for you, oldest first</source>
            <translation>等你处理的事项，最早的在前</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/inbox/before.py" />
            <source>%n lines</source>
            <translation>
                <numerusform>%n行</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/inbox/before.py" />
            <source>Before it asked</source>
            <translation>请求之前</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/before.py" />
            <source>Exit {code}</source>
            <translation>退出码{code}</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/before.py" />
            <source>Thought</source>
            <translation>思考</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/before.py" />
            <source>Thought for {seconds} s</source>
            <translation>思考了{seconds}秒</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/before.py" />
            <source>You</source>
            <translation>你</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/inbox/before.py" />
            <source>last %n entries</source>
            <translation>
                <numerusform>最近%n条记录</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/inbox/before.py" />
            <source>{agent}: {task}</source>
            <translation>{agent}：{task}</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/detail.py" />
            <source>Back</source>
            <translation>返回</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/detail.py" />
            <source>Open conversation</source>
            <translation>打开对话</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/detail.py" />
            <source>in</source>
            <translation>位于</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/detail.py" />
            <source>{agent} in {session}</source>
            <translation>{agent}，位于{session}</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/page.py" />
            <source>All {count}</source>
            <translation>全部{count}</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/page.py" />
            <source>Nothing here is ever answered by a timer.</source>
            <translation>这里的请求绝不会因超时而自动答复。</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/page.py" />
            <source>Permissions {count}</source>
            <translation>权限{count}</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/page.py" />
            <source>Plans {count}</source>
            <translation>计划{count}</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/page.py" />
            <source>Questions {count}</source>
            <translation>问题{count}</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/page.py" />
            <source>choose</source>
            <translation>选择</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/page.py" />
            <source>move</source>
            <translation>移动</translation>
        </message>
        <message>
            <location filename="../widgets/inbox/page.py" />
            <source>open</source>
            <translation>打开</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/overlay/line.py" />
            <source>%n sub-agents</source>
            <translation>
                <numerusform>%n个子智能体</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/overlay/panel.py" />
            <source>All children: {sum}</source>
            <translation>全部子智能体：{sum}</translation>
        </message>
        <message>
            <location filename="../widgets/overlay/panel.py" />
            <source>Keep as pane</source>
            <translation>保留为窗格</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/overlay/panel.py" />
            <source>Stop %n children?</source>
            <translation>
                <numerusform>停止%n个子智能体吗？</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/overlay/panel.py" />
            <source>Stop all</source>
            <translation>全部停止</translation>
        </message>
        <message>
            <location filename="../widgets/overlay/rows.py" />
            <source>Fold {what}</source>
            <translation>折叠{what}</translation>
        </message>
        <message>
            <location filename="../widgets/overlay/rows.py" />
            <source>Sub-agents of this conversation</source>
            <translation>此对话的子智能体</translation>
        </message>
        <message>
            <location filename="../widgets/overlay/timeline.py" />
            <source>Began {time}</source>
            <translation>{time}开始</translation>
        </message>
        <message>
            <location filename="../widgets/overlay/timeline.py" />
            <source>Ended {time}</source>
            <translation>{time}结束</translation>
        </message>
        <message>
            <location filename="../widgets/overlay/timeline.py" />
            <source>Timeline</source>
            <translation>时间线</translation>
        </message>
        <message>
            <location filename="../widgets/overlay/timeline.py" />
            <source>Waiting for you for {time}</source>
            <translation>已等你处理{time}</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Asks</source>
            <translation>请求</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Choose an option of the focused ask</source>
            <translation>选择当前请求的选项</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Composer</source>
            <translation>输入框</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Copy result, code or message</source>
            <translation>复制结果、代码或消息</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Delegate now</source>
            <translation>立即委派</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Find a key</source>
            <translation>查找快捷键</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Fold, go out</source>
            <translation>折叠，返回上层</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>In an empty composer: edit the last queued or sent message</source>
            <translation>输入框为空时：编辑最后一条排队或已发送的消息</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Leave the ask; never answers it</source>
            <translation>离开请求；绝不会答复它</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>More actions</source>
            <translation>更多操作</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Name an agent, a file or a session</source>
            <translation>提及智能体、文件或会话</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>New line</source>
            <translation>换行</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Newest, follow again</source>
            <translation>跳到最新并继续跟随</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Next entry</source>
            <translation>下一条</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Next question, or send answers</source>
            <translation>下一个问题，或发送回答</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>No such key</source>
            <translation>没有这个快捷键</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Open or fold</source>
            <translation>展开或折叠</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Previous entry</source>
            <translation>上一条</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Resume or run again</source>
            <translation>继续或重新运行</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Rows of a conversation</source>
            <translation>对话中的条目</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Send after this turn</source>
            <translation>本轮后发送</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Send, or steer while a turn runs</source>
            <translation>发送，或在本轮运行时引导</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Show the task</source>
            <translation>显示任务</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Steer</source>
            <translation>引导</translation>
        </message>
        <message>
            <location filename="../widgets/palette/key_map.py" />
            <source>Unfold, go in</source>
            <translation>展开，进入下层</translation>
        </message>
        <message>
            <location filename="../widgets/palette/palette.py" />
            <source>Find an action, a session or an ask</source>
            <translation>查找操作、会话或请求</translation>
        </message>
        <message>
            <location filename="../widgets/palette/palette.py" />
            <source>Find an action. @ sessions, &gt; actions, # what needs you</source>
            <translation>查找操作。@会话，&gt;操作，#等你处理</translation>
        </message>
        <message>
            <location filename="../widgets/palette/palette.py" />
            <source>No action called “{name}”</source>
            <translation>没有名为“{name}”的操作</translation>
        </message>
        <message>
            <location filename="../widgets/palette/palette.py" />
            <source>No action, session or ask called “{name}”</source>
            <translation>没有名为“{name}”的操作、会话或请求</translation>
        </message>
        <message>
            <location filename="../widgets/palette/palette.py" />
            <source>No ask called “{name}”</source>
            <translation>没有名为“{name}”的请求</translation>
        </message>
        <message>
            <location filename="../widgets/palette/palette.py" />
            <source>No session or child called “{name}”</source>
            <translation>没有名为“{name}”的会话或子智能体</translation>
        </message>
        <message>
            <location filename="../widgets/palette/palette.py" />
            <source>No session yet</source>
            <translation>还没有会话</translation>
        </message>
        <message>
            <location filename="../widgets/palette/palette.py" />
            <source>Nobody is waiting for you</source>
            <translation>没有等你处理的事</translation>
        </message>
        <message>
            <location filename="../widgets/palette/palette.py" />
            <source>Nothing here</source>
            <translation>这里没有内容</translation>
        </message>
        <message>
            <location filename="../widgets/palette/pick_list.py" />
            <source>not available</source>
            <translation>不可用</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>A name, a command, and variables as NAME=value are needed.</source>
            <translation>需要名称、命令，以及NAME=value形式的变量。</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Add an agent…</source>
            <translation>添加智能体…</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>As its own default</source>
            <translation>使用它的默认值</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Command</source>
            <translation>命令</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Command, as in a terminal</source>
            <translation>命令，与终端中的写法相同</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Details</source>
            <translation>详情</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Details of {agent}</source>
            <translation>{agent}的详情</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Handshake</source>
            <translation>握手</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Installed</source>
            <translation>已安装</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Mode for children</source>
            <translation>子智能体的模式</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Name</source>
            <translation>名称</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Not installed</source>
            <translation>未安装</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Remove my changes</source>
            <translation>移除我的更改</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Session</source>
            <translation>会话</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Start</source>
            <translation>启动</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Test</source>
            <translation>测试</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>The command has a quote that is not closed.</source>
            <translation>命令中有未闭合的引号。</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Variables</source>
            <translation>变量</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>Variables: NAME=value NAME=value</source>
            <translation>变量：NAME=value NAME=value</translation>
        </message>
        <message>
            <location filename="../widgets/settings/agents.py" />
            <source>{agent} may be used</source>
            <translation>可以使用{agent}</translation>
        </message>
        <message>
            <location filename="../widgets/settings/integrations.py" />
            <source>Adds one entry to that program's own settings. Nothing else in them is touched, and Undo takes it out.</source>
            <translation>在该程序自己的设置里添加一项。其他内容不会改动，撤销即可移除。</translation>
        </message>
        <message>
            <location filename="../widgets/settings/integrations.py" />
            <source>Connect</source>
            <translation>连接</translation>
        </message>
        <message>
            <location filename="../widgets/settings/integrations.py" />
            <source>Connect {program}</source>
            <translation>连接{program}</translation>
        </message>
        <message>
            <location filename="../widgets/settings/integrations.py" />
            <source>Connected</source>
            <translation>已连接</translation>
        </message>
        <message>
            <location filename="../widgets/settings/integrations.py" />
            <source>Disconnect {program}</source>
            <translation>断开{program}</translation>
        </message>
        <message>
            <location filename="../widgets/settings/integrations.py" />
            <source>Its tools may take {time}.</source>
            <translation>它的工具最多可运行{time}。</translation>
        </message>
        <message>
            <location filename="../widgets/settings/integrations.py" />
            <source>Show the first page again</source>
            <translation>再次显示首次启动页</translation>
        </message>
        <message>
            <location filename="../widgets/settings/keyboard.py" />
            <source>Back to the default key</source>
            <translation>恢复默认快捷键</translation>
        </message>
        <message>
            <location filename="../widgets/settings/keyboard.py" />
            <source>Key of {action}</source>
            <translation>“{action}”的快捷键</translation>
        </message>
        <message>
            <location filename="../widgets/settings/keyboard.py" />
            <source>{key} belongs to “{action}” already.</source>
            <translation>{key}已用于“{action}”。</translation>
        </message>
        <message>
            <location filename="../widgets/settings/nav.py" />
            <source>Pages of Settings</source>
            <translation>设置页面</translation>
        </message>
        <message>
            <location filename="../widgets/settings/page.py" />
            <source>Find a setting</source>
            <translation>查找设置</translation>
        </message>
        <message>
            <location filename="../widgets/settings/rows.py" />
            <source>For new sessions</source>
            <translation>对新会话生效</translation>
        </message>
        <message>
            <location filename="../widgets/settings/sheet.py" />
            <source>Saved</source>
            <translation>已保存</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/found.py" />
            <source>Found places</source>
            <translation>找到的位置</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Archive</source>
            <translation>归档</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Archived sessions</source>
            <translation>已归档的会话</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Copy id</source>
            <translation>复制ID</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Copy path</source>
            <translation>复制路径</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Delete</source>
            <translation>删除</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>New session here</source>
            <translation>在此新建会话</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Only what is at work or waits</source>
            <translation>仅显示工作中或等你处理的</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Open beside</source>
            <translation>在旁边打开</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Pin</source>
            <translation>置顶</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Rename</source>
            <translation>重命名</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Resume</source>
            <translation>继续</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Sessions in terminals</source>
            <translation>终端中的会话</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Take out of the archive</source>
            <translation>取消归档</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/menus.py" />
            <source>Unpin</source>
            <translation>取消置顶</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/rows.py" />
            <source>New title of {title}</source>
            <translation>{title}的新标题</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/rows.py" />
            <source>Title</source>
            <translation>标题</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/sidebar/search.py" />
            <source>%n places</source>
            <translation>
                <numerusform>%n处</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/search.py" />
            <source>Nothing found</source>
            <translation>没有找到</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/search.py" />
            <source>Search titles and conversations</source>
            <translation>搜索标题和对话</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/search.py" />
            <source>Searching…</source>
            <translation>正在搜索…</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/sidebar.py" />
            <source>Archived “{title}”</source>
            <translation>已归档“{title}”</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/sidebar.py" />
            <source>Deleted “{title}”</source>
            <translation>已删除“{title}”</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/sidebar.py" />
            <source>Filter sessions</source>
            <translation>筛选会话</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/sidebar.py" />
            <source>Filter sessions, some are hidden</source>
            <translation>筛选会话，部分已隐藏</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/sidebar.py" />
            <source>Folders</source>
            <translation>文件夹</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/sidebar.py" />
            <source>No sessions yet</source>
            <translation>还没有会话</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/sidebar.py" />
            <source>The filter leaves nothing</source>
            <translation>没有符合筛选的会话</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/sidebar.py" />
            <source>Took “{title}” back</source>
            <translation>已取消归档“{title}”</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/sidebar/strip.py" />
            <source>%n waiting</source>
            <translation>
                <numerusform>%n个等你处理</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/strip.py" />
            <source>Open sidebar</source>
            <translation>打开侧边栏</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/strip.py" />
            <source>Search</source>
            <translation>搜索</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/strip.py" />
            <source>This page shows</source>
            <translation>正在显示此页</translation>
        </message>
        <message>
            <location filename="../widgets/sidebar/tree.py" />
            <source>Sessions</source>
            <translation>会话</translation>
        </message>
        <message>
            <location filename="../widgets/statusbar/bar.py" />
            <source>Status</source>
            <translation>状态</translation>
        </message>
        <message>
            <location filename="../widgets/text/code.py" />
            <source>Code</source>
            <translation>代码</translation>
        </message>
        <message>
            <location filename="../widgets/text/code.py" />
            <source>Text</source>
            <translation>文本</translation>
        </message>
        <message>
            <location filename="../widgets/text/diff.py" />
            <source>Changes</source>
            <translation>更改</translation>
        </message>
        <message>
            <location filename="../widgets/text/diff.py" />
            <source>Changes in {path}</source>
            <translation>{path}中的更改</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/text/diff.py" />
            <source>Show %n more lines</source>
            <translation>
                <numerusform>再显示%n行</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/text/diff.py" />
            <source>Show %n more lines of {all}</source>
            <translation>
                <numerusform>再显示%n行，共{all}行</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/text/document.py" />
            <source>Picture</source>
            <translation>图片</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/text/images.py" />
            <source>%n pictures</source>
            <translation>
                <numerusform>%n张图片</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/text/images.py" />
            <source>A picture that cannot be shown</source>
            <translation>无法显示的图片</translation>
        </message>
        <message>
            <location filename="../widgets/text/markdown.py" />
            <source>Copy code</source>
            <translation>复制代码</translation>
        </message>
        <message>
            <location filename="../widgets/text/markdown.py" />
            <source>Message</source>
            <translation>消息</translation>
        </message>
        <message>
            <location filename="../widgets/text/message.py" />
            <source>Show all</source>
            <translation>显示全部</translation>
        </message>
        <message>
            <location filename="../widgets/text/message.py" />
            <source>Show more, {left} characters left</source>
            <translation>显示更多，还有{left}个字符</translation>
        </message>
        <message>
            <location filename="../widgets/text/terminal.py" />
            <source>Open all</source>
            <translation>全部打开</translation>
        </message>
        <message>
            <location filename="../widgets/text/terminal.py" />
            <source>Output</source>
            <translation>输出</translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/text/terminal.py" />
            <source>Show %n earlier lines</source>
            <translation>
                <numerusform>显示更早的%n行</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../widgets/welcome/page.py" />
            <source>%n more agents are supported but not installed.</source>
            <translation>
                <numerusform>还支持%n个智能体，但未安装。</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../widgets/welcome/page.py" />
            <source>Adds one entry to that program's own settings. You can undo it here.</source>
            <translation>在该程序自己的设置里添加一项。可以在这里撤销。</translation>
        </message>
        <message>
            <location filename="../widgets/welcome/page.py" />
            <source>Agents on this computer</source>
            <translation>这台电脑上的智能体</translation>
        </message>
        <message>
            <location filename="../widgets/welcome/page.py" />
            <source>Copy how to install {agent}</source>
            <translation>复制{agent}的安装方法</translation>
        </message>
        <message>
            <location filename="../widgets/welcome/page.py" />
            <source>Delegate from your terminal too</source>
            <translation>也可以从终端委派</translation>
        </message>
        <message>
            <location filename="../widgets/welcome/page.py" />
            <source>Look again</source>
            <translation>重新查找</translation>
        </message>
        <message>
            <location filename="../widgets/welcome/page.py" />
            <source>Looking…</source>
            <translation>正在查找…</translation>
        </message>
        <message>
            <location filename="../widgets/welcome/page.py" />
            <source>One agent talks to you and hands work to the others. You see every one of them work, and answer when they ask.</source>
            <translation>一个智能体与你对话，并把工作委派给其他智能体。你能看到每个智能体的工作，并在它们请求时答复。</translation>
        </message>
        <message>
            <location filename="../widgets/welcome/page.py" />
            <source>Open the workspace</source>
            <translation>打开工作区</translation>
        </message>
        <message>
            <location filename="../widgets/welcome/page.py" />
            <source>Show how to install them</source>
            <translation>显示安装方法</translation>
        </message>
        <message>
            <location filename="../widgets/welcome/page.py" />
            <source>You can come back to this page from Settings, Integrations.</source>
            <translation>可以从“设置”的“集成”回到此页。</translation>
        </message>
        <message numerus="yes">
            <location filename="../wording.py" />
            <source>%n hours</source>
            <translation>
                <numerusform>%n小时</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../wording.py" />
            <source>%n minutes</source>
            <translation>
                <numerusform>%n分钟</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../wording.py" />
            <source>%n seconds</source>
            <translation>
                <numerusform>%n秒</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Canceled</source>
            <translation>已取消</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Children may not delegate any deeper.</source>
            <translation>子智能体不能再往下委派。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Completed</source>
            <translation>已完成</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Delegation is switched off in Settings.</source>
            <translation>委派已在设置中关闭。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Host and companion are of different versions.</source>
            <translation>主机与配套程序的版本不同。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Idle</source>
            <translation>空闲</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Interrupted</source>
            <translation>已中断</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>It failed.</source>
            <translation>失败了。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>It ran longer than allowed.</source>
            <translation>运行时间超出限制。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>It was stopped.</source>
            <translation>已被停止。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>It was too large.</source>
            <translation>内容太大。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Permission</source>
            <translation>权限</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Question</source>
            <translation>问题</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Something else was under way.</source>
            <translation>有其他操作正在进行。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Starting</source>
            <translation>启动中</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Stopped at a command that needs your permission</source>
            <translation>停在需要你许可的命令</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Stopped at a plan that needs your word</source>
            <translation>停在需要你决定的计划</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Stopped at a question for you</source>
            <translation>停在要问你的问题</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent answered with an error.</source>
            <translation>智能体返回了错误。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent cannot take it up again.</source>
            <translation>智能体无法继续这个会话。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent could not be started.</source>
            <translation>无法启动智能体。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent did not answer in time.</source>
            <translation>智能体没有及时响应。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent ended for a reason that it did not tell.</source>
            <translation>智能体已结束，未说明原因。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent ended unexpectedly.</source>
            <translation>智能体意外结束。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent ended without a result.</source>
            <translation>智能体已结束，但没有结果。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent is not installed.</source>
            <translation>智能体未安装。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent is not signed in.</source>
            <translation>智能体未登录。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent is switched off in Settings.</source>
            <translation>智能体已在设置中关闭。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent reached its limit of steps.</source>
            <translation>智能体已达到步骤上限。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The agent refused the task.</source>
            <translation>智能体拒绝了任务。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The answer reached the model's limit.</source>
            <translation>回答达到了模型的长度上限。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The call was not understood.</source>
            <translation>无法理解这次调用。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The folder does not exist.</source>
            <translation>文件夹不存在。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The host does not run.</source>
            <translation>主机没有运行。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The host was too busy.</source>
            <translation>主机太忙。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The queue is full.</source>
            <translation>队列已满。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The request was not understood.</source>
            <translation>无法理解这个请求。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>The session that asked for it has ended.</source>
            <translation>委派它的会话已结束。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>There is no such agent.</source>
            <translation>没有这个智能体。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>This session may not do that.</source>
            <translation>此会话不能这样做。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Too many children run at once.</source>
            <translation>同时运行的子智能体太多。</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>Waiting for you</source>
            <translation>等你处理</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>now</source>
            <translation>刚刚</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>{h}h {m}m</source>
            <translation>{h}小时{m}分</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>{millions} M</source>
            <translation>{millions}M</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>{m}m {s}s</source>
            <translation>{m}分{s}秒</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>{place} of {total}</source>
            <translation>{place}位，共{total}位</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>{position}th</source>
            <translation>第{position}</translation>
        </message>
        <message>
            <location filename="../wording.py" />
            <source>{thousands}k</source>
            <translation>{thousands}k</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Board</source>
            <translation>看板</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Commands</source>
            <translation>命令</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Conversation</source>
            <translation>对话</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Find here</source>
            <translation>在此查找</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>First start page</source>
            <translation>首次启动页</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Go to</source>
            <translation>前往</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Go to the oldest ask</source>
            <translation>前往最早的请求</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Keyboard map</source>
            <translation>快捷键一览</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Larger text</source>
            <translation>放大文字</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Needs you</source>
            <translation>等你处理</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Next area</source>
            <translation>下一个区域</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Next pane</source>
            <translation>下一个窗格</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Next tab</source>
            <translation>下一个标签页</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Normal text size</source>
            <translation>正常文字大小</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Previous area</source>
            <translation>上一个区域</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Previous pane</source>
            <translation>上一个窗格</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Previous tab</source>
            <translation>上一个标签页</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Reopen tab</source>
            <translation>重新打开标签页</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Search everywhere</source>
            <translation>全局搜索</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Sidebar</source>
            <translation>侧边栏</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Smaller text</source>
            <translation>缩小文字</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Split down</source>
            <translation>向下拆分</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Stop this turn</source>
            <translation>停止本轮</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Tabs and panes</source>
            <translation>标签页和窗格</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Undo</source>
            <translation>撤销</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>Window</source>
            <translation>窗口</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>no tab was closed</source>
            <translation>没有关闭过标签页</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>nobody is waiting for you</source>
            <translation>没有等你处理的事</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>nothing to take back</source>
            <translation>没有可撤销的操作</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>only in a conversation</source>
            <translation>仅在对话中可用</translation>
        </message>
        <message>
            <location filename="../workspace/action_list.py" />
            <source>only while a turn runs</source>
            <translation>仅在本轮运行时可用</translation>
        </message>
        <message numerus="yes">
            <location filename="../workspace/conversation.py" />
            <source>%n new messages</source>
            <translation>
                <numerusform>%n条新消息</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../workspace/conversation.py" />
            <source>New messages</source>
            <translation>新消息</translation>
        </message>
        <message>
            <location filename="../workspace/deeds.py" />
            <source>There is no log at {path}.</source>
            <translation>{path}没有日志。</translation>
        </message>
        <message>
            <location filename="../workspace/deeds.py" />
            <source>{agent} needs you</source>
            <translation>{agent}等你处理</translation>
        </message>
        <message>
            <location filename="../workspace/find_bar.py" />
            <source>Next</source>
            <translation>下一个</translation>
        </message>
        <message>
            <location filename="../workspace/find_bar.py" />
            <source>Not found</source>
            <translation>未找到</translation>
        </message>
        <message>
            <location filename="../workspace/find_bar.py" />
            <source>Previous</source>
            <translation>上一个</translation>
        </message>
        <message>
            <location filename="../workspace/find_bar.py" />
            <source>{at} of {total}</source>
            <translation>{at}/{total}</translation>
        </message>
        <message>
            <location filename="../workspace/header.py" />
            <source>Find in this conversation</source>
            <translation>在此对话中查找</translation>
        </message>
        <message>
            <location filename="../workspace/header.py" />
            <source>More</source>
            <translation>更多</translation>
        </message>
        <message>
            <location filename="../workspace/header.py" />
            <source>Split right</source>
            <translation>向右拆分</translation>
        </message>
        <message>
            <location filename="../workspace/header.py" />
            <source>Sub-agents</source>
            <translation>子智能体</translation>
        </message>
        <message>
            <location filename="../workspace/header.py" />
            <source>Turn {time}</source>
            <translation>本轮{time}</translation>
        </message>
        <message>
            <location filename="../workspace/new_session.py" />
            <source>Choose a folder</source>
            <translation>选择文件夹</translation>
        </message>
        <message>
            <location filename="../workspace/new_session.py" />
            <source>Folder {folder}</source>
            <translation>文件夹{folder}</translation>
        </message>
        <message>
            <location filename="../workspace/new_session.py" />
            <source>What should be done?</source>
            <translation>要做什么？</translation>
        </message>
        <message numerus="yes">
            <location filename="../workspace/panels.py" />
            <source>%n tasks are running</source>
            <translation>
                <numerusform>%n个任务运行中</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>A host without a window runs as process {pid}.</source>
            <translation>一个没有窗口的主机正在运行，进程号{pid}。</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Codeg runs already</source>
            <translation>Codeg已在运行</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Copy link</source>
            <translation>复制链接</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>It wrote nothing to its log.</source>
            <translation>它没有写入任何日志。</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Keep running</source>
            <translation>继续运行</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Keep them running without a window, or stop them now. What they have done so far is kept either way.</source>
            <translation>可以让它们在没有窗口的情况下继续运行，也可以现在停止。无论哪种方式，已有成果都会保留。</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Last words of {agent}</source>
            <translation>{agent}最后的输出</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Nothing runs in it.</source>
            <translation>其中没有任务运行。</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Open</source>
            <translation>打开</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Open log</source>
            <translation>打开日志</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Open this link?</source>
            <translation>打开这个链接吗？</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Restart</source>
            <translation>重启</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Stop it and take over</source>
            <translation>停止它并接管</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Stop them and quit</source>
            <translation>停止它们并退出</translation>
        </message>
        <message numerus="yes">
            <location filename="../workspace/panels.py" />
            <source>Stopping it interrupts %n running tasks; each can be resumed here.</source>
            <translation>
                <numerusform>停止它会中断%n个运行中的任务；每个都可以在这里继续。</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>The host stopped</source>
            <translation>主机已停止</translation>
        </message>
        <message>
            <location filename="../workspace/panels.py" />
            <source>Your sessions are stored up to {time}.</source>
            <translation>你的会话已保存到{time}。</translation>
        </message>
        <message>
            <location filename="../workspace/plan_line.py" />
            <source>Plan</source>
            <translation>计划</translation>
        </message>
        <message>
            <location filename="../workspace/plan_line.py" />
            <source>{done} of {all}</source>
            <translation>{done}/{all}</translation>
        </message>
        <message>
            <location filename="../workspace/tabs.py" />
            <source>Close tab</source>
            <translation>关闭标签页</translation>
        </message>
        <message>
            <location filename="../workspace/tabs.py" />
            <source>New session</source>
            <translation>新建会话</translation>
        </message>
        <message>
            <location filename="../workspace/tabs.py" />
            <source>Tabs</source>
            <translation>标签页</translation>
        </message>
        <message numerus="yes">
            <location filename="../workspace/tray.py" />
            <source>%n need you</source>
            <translation>
                <numerusform>%n个等你处理</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../workspace/tray.py" />
            <source>%n running</source>
            <translation>
                <numerusform>%n个运行中</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../workspace/tray.py" />
            <source>Quit</source>
            <translation>退出</translation>
        </message>
        <message>
            <location filename="../workspace/tray.py" />
            <source>Show the window</source>
            <translation>显示窗口</translation>
        </message>
        <message>
            <location filename="../workspace/window.py" />
            <source>Codeg</source>
            <translation>Codeg</translation>
        </message>
    </context>
</TS>
